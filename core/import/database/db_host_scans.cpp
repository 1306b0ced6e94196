#include "core/import/database/db_host_scans.h"

#include "core/base/text/text.h"
#include "core/import/database_lookup/db_position.h"
#include "core/store/rows/row_kinds.h"

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

/// "No connection" of CANN_API, TASK and COMMUNICATION_OP.
constexpr std::int64_t kNoConnection = 4294967295;

constexpr std::uint8_t code(DbTableCode table) { return static_cast<std::uint8_t>(table); }

void addSlice(DbPart& part, ProvisionalTrack track, std::int64_t begin, std::int64_t duration, ProvisionalText name,
              ProvisionalText category, SourcePos pos) {
    ++part.rows;
    part.segment.slices.add(track, begin, duration, name, category, pos);
}

/// PYTORCH_API.type, by the names of ENUM_API_TYPE.
enum class PythonRow { Operator, Queue, Function, Mark };

PythonRow pythonRow(const DbContext& context, std::int64_t type) {
    const auto known = context.apiTypes.find(type);
    const std::string_view name = known == context.apiTypes.end() ? std::string_view() : known->second;
    if (name == "queue" || (name.empty() && type == 50002)) return PythonRow::Queue;
    if (name == "trace" || (name.empty() && type == 50003)) return PythonRow::Function;
    if (name == "mstx" || (name.empty() && type == 50004)) return PythonRow::Mark;
    return PythonRow::Operator;
}

/// The thread of a row, whose table has the column.
std::int64_t threadOf(const DbRow& row, int column) {
    if (row.isNull(column)) row.problem(DbProblem::OddType, column);
    return row.integerOr(column, 0);
}

/// Its call stack, as numbers of runs of frames.
std::span<const std::uint32_t> chainOf(const DbContext& context, const DbRow& row, const DbWorker& worker) {
    static constexpr int kChain = 8;
    const auto chain = row.integer(kChain);
    if (!chain) return {};
    const auto runs = context.callChains.runs(*chain);
    // Without tables of rows the chains are not read.
    if (runs.empty() && *chain >= 0 && worker.rows != nullptr) row.problem(DbProblem::NoEntry, kChain);
    return runs;
}

ProvisionalStack stackOf(const DbContext& context, std::span<const std::uint32_t> runs, DbWorker& worker) {
    if (runs.empty()) return CallStackPool::kNoStack;
    const auto known = worker.stacks.find(runs.front());
    if (runs.size() == 1 && known != worker.stacks.end()) return known->second;
    const auto joined = worker.joinedStacks.find(runs.data());
    if (joined != worker.joinedStacks.end()) return joined->second;
    // Further frames would not be taken by the pool either.
    std::vector<std::string_view> frames = context.callChains.frames(runs, context.texts);
    std::reverse(frames.begin(), frames.end());
    frames.resize(std::min(frames.size(), CallStackPool::kMaxFrames + 1));
    std::vector<std::string> repaired;
    std::size_t bytes = 0;
    for (const std::string_view frame : frames) {
        if (bytes > CallStackPool::kMaxBytes) break;
        bytes += frame.size();
        repaired.push_back(repairedUtf8(frame));
    }
    const ProvisionalStack stack = worker.names.stack(std::vector<std::string_view>(repaired.begin(), repaired.end()));
    if (runs.size() == 1) worker.stacks.emplace(runs.front(), stack);
    else worker.joinedStacks.emplace(runs.data(), stack);
    return stack;
}

/// A row of `operator`; what depends on other rows is added when all are known (operator_slices.h).
void addOperator(const DbContext& context, const DbRow& row, std::int64_t begin, std::int64_t duration,
                 std::int64_t thread, std::int64_t name, std::span<const std::uint32_t> runs, DbWorker& worker) {
    static constexpr auto kRows = RowKind::Operator;
    RowBatch& batch = worker.batch(kRows);
    batch.addRow();
    setKnownText(batch, fixedColumn(kRows, "name"), worker.rowTexts.name(batch, name));
    const auto [threadName, isNew] = worker.operatorThreads.try_emplace(thread, 0);
    if (isNew) threadName->second = batch.textId(DbTracks::threadName(thread));
    batch.setTextId(fixedColumn(kRows, "thread"), threadName->second);
    batch.setInteger(fixedColumn(kRows, "ts"), begin);
    batch.setInteger(fixedColumn(kRows, "dur"), duration);
    std::int64_t shapes = row.integerOr(6, -1), types = row.integerOr(7, -1);
    // Some writers have both columns the wrong way round: dimensions are digits, types are words.
    if (worker.rowTexts.hasWords(shapes) && !worker.rowTexts.hasWords(types)) std::swap(shapes, types);
    setKnownText(batch, fixedColumn(kRows, "input_shapes"), worker.rowTexts.lines(batch, shapes));
    setKnownText(batch, fixedColumn(kRows, "input_types"), worker.rowTexts.lines(batch, types));
    if (runs.empty()) return;
    const auto textOfRuns = [&] { return batch.textId(repairedUtf8(context.callChains.text(runs, context.texts))); };
    const bool isOne = runs.size() == 1;
    auto& stack = isOne ? worker.callStacks.try_emplace(runs.front(), kNoCell).first->second
                        : worker.joinedCallStacks.try_emplace(runs.data(), kNoCell).first->second;
    if (stack == kNoCell) stack = textOfRuns();
    batch.setTextId(fixedColumn(kRows, "call_stack"), stack);
}

DbScan pythonScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const std::int64_t duration = row.durationFrom(*begin, 1);
        const std::int64_t thread = threadOf(row, 2);
        const std::int64_t nameId = row.nameId(3);
        const PythonRow kind = pythonRow(context, row.integerOr(4, 0));
        const ProvisionalText name = context.texts.provisional(nameId, worker.names);
        const ProvisionalTrack track =
            worker.tracks.hostThread(kind == PythonRow::Mark ? DbLayer::Mstx : DbLayer::Python, thread);
        const bool isDequeue = kind == PythonRow::Queue && context.texts.text(nameId).starts_with("Dequeue");
        std::string_view category;
        switch (kind) {
        case PythonRow::Operator: category = "cpu_op"; break;
        case PythonRow::Queue: category = isDequeue ? "dequeue" : "enqueue"; break;
        case PythonRow::Function: category = "python_function"; break;
        case PythonRow::Mark: break;
        }
        addSlice(part, track, *begin, duration, name, worker.names.text(category), pos);
        if (isDequeue && (part.dequeueThreads.empty() || part.dequeueThreads.back() != thread))
            part.dequeueThreads.push_back(thread);
        if (kind != PythonRow::Operator && kind != PythonRow::Queue) return;
        if (kind == PythonRow::Operator) {
            const auto runs = chainOf(context, row, worker);
            if (const ProvisionalStack stack = stackOf(context, runs, worker); stack != CallStackPool::kNoStack)
                part.segment.stackedOperators.push_back({track, stack, *begin, duration, pos});
            if (worker.rows != nullptr && !context.texts.text(nameId).starts_with("ProfilerStep#"))
                addOperator(context, row, *begin, duration, thread, nameId, runs, worker);
        }
        const auto connection = row.integer(5);
        if (!connection) return;
        const auto point = kind == PythonRow::Operator ? DbFlowPoint::Kind::Operator
                           : isDequeue                 ? DbFlowPoint::Kind::Dequeue
                                                       : DbFlowPoint::Kind::Enqueue;
        const auto ids = context.connections.of(*connection);
        if (ids.empty() && *connection >= 0 && *connection != kNoConnection) row.problem(DbProblem::NoEntry, 5);
        for (const std::int64_t id : ids) part.flowPoints.push_back({point, id, *begin, track, pos});
    };
    return {
        "PYTORCH_API",
        code(DbTableCode::PytorchApi),
        {"startNs", "endNs", "globalTid", "name", "type", "connectionId", "inputShapes", "inputDtypes", "callchainId"},
        4,
        take};
}

DbScan cannScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const std::int64_t duration = row.durationFrom(*begin, 1);
        const ProvisionalTrack track = worker.tracks.hostThread(DbLayer::Cann, threadOf(row, 2));
        const std::int64_t nameId = row.nameId(3), type = row.integerOr(4, -1);
        const auto [made, isNew] = worker.madeNames.try_emplace({type, nameId}, 0);
        if (isNew) {
            const auto known = context.apiTypes.find(type);
            const std::string_view prefix =
                apiPrefix(known == context.apiTypes.end() ? std::string_view("Api") : known->second);
            made->second = worker.names.text(std::string(prefix) + '@' + std::string(context.texts.text(nameId)));
        }
        addSlice(part, track, *begin, duration, made->second, worker.names.text({}), pos);
        const auto connection = row.integer(5);
        if (connection && *connection >= 0 && *connection != kNoConnection)
            part.flowPoints.push_back({DbFlowPoint::Kind::Launch, *connection, *begin, track, pos});
    };
    return {"CANN_API",
            code(DbTableCode::CannApi),
            {"startNs", "endNs", "globalTid", "name", "type", "connectionId"},
            4,
            take};
}

DbScan mstxScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        // Up to this number a mark has no end on the device (core/import/database/FORMAT.md section 1).
        static constexpr std::int64_t kHostOnly = 4000000000;
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const std::int64_t duration = row.durationFrom(*begin, 1);
        const ProvisionalTrack track = worker.tracks.hostThread(DbLayer::Mstx, threadOf(row, 2));
        addSlice(part, track, *begin, duration, context.texts.provisional(row.integerOr(3, -1), worker.names),
                 worker.names.text({}), pos);
        const auto connection = row.integer(4);
        if (connection && *connection > kHostOnly && *connection != kNoConnection)
            part.flowPoints.push_back({DbFlowPoint::Kind::Mark, *connection, *begin, track, pos});
    };
    return {"MSTX_EVENTS",
            code(DbTableCode::MstxEvents),
            {"startNs", "endNs", "globalTid", "message", "connectionId"},
            4,
            take};
}

DbScan collectionScan() {
    const auto take = [](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        addSlice(part, worker.tracks.hostThread(DbLayer::PythonGc, row.integerOr(2, 0)), *begin,
                 row.durationFrom(*begin, 1), worker.names.text("GC"), worker.names.text("GC"), pos);
    };
    return {"GC_RECORD", code(DbTableCode::GcRecord), {"startNs", "endNs", "globalTid"}, 2, take};
}

DbScan runtimeScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        addSlice(part, worker.tracks.hostThread(DbLayer::OsRuntime, threadOf(row, 2)), *begin,
                 row.durationFrom(*begin, 1), context.texts.provisional(row.nameId(3), worker.names),
                 worker.names.text({}), pos);
    };
    return {"OSRT_API", code(DbTableCode::OsrtApi), {"startNs", "endNs", "globalTid", "name"}, 4, take};
}

}  // namespace

std::string_view apiPrefix(std::string_view type) {
    if (type == "acl") return "AscendCL";
    if (type == "model") return "Model";
    if (type == "node") return "Node";
    if (type == "runtime") return "Runtime";
    if (type == "hccl") return "Hccl";
    if (type == "communication") return "Communication";
    return "Api";
}

std::vector<DbScan> hostScans(const DbContext& context) {
    return {pythonScan(context), cannScan(context), mstxScan(context), collectionScan(), runtimeScan(context)};
}

}  // namespace altiscope::reader
