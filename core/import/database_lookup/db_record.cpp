#include "core/import/database_lookup/db_record.h"

#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/import/database_lookup/db_row_texts.h"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <array>

namespace altiscope::reader {

namespace {

using RecordJson = nlohmann::ordered_json;
using Row = DbLookup::Values;

std::optional<std::int64_t> numberOf(const std::optional<std::string>& value) {
    return value ? wholeNumber(*value) : std::nullopt;
}

/// Adds a column as it stands: a whole number as a number, anything else as a text; nothing where it is NULL.
void add(RecordJson& json, const char* key, const std::optional<std::string>& value) {
    if (!value) return;
    if (const auto number = wholeNumber(*value)) json[key] = *number;
    else json[key] = *value;
}

void addText(RecordJson& json, const char* key, DbLookup& lookup, const std::optional<std::string>& id) {
    if (const auto number = numberOf(id)) json[key] = lookup.text(*number);
}

void addEnum(RecordJson& json, const char* key, DbLookup& lookup, const char* table,
             const std::optional<std::string>& id) {
    if (const auto number = numberOf(id)) json[key] = lookup.enumName(table, *number);
}

void addScaled(RecordJson& json, const char* key, const std::optional<std::string>& value, double scale) {
    if (value) json[key] = std::strtod(value->c_str(), nullptr) * scale;
}

/// GB/s of communication are 10^9 bytes/s.
constexpr double kGiga = 1e-9;

/// The parts of a list as the text export joins them.
std::string callStack(DbLookup& lookup, std::int64_t chain) {
    struct Frame {
        std::int64_t depth, text;
    };
    /// More are not those of one chain but a broken table.
    static constexpr std::size_t kMaxFrames = 10'000;
    std::vector<Frame> frames;
    lookup.eachRowOf("PYTORCH_CALLCHAINS", "id", chain, [&](std::int64_t number) {
        const auto row = lookup.row("PYTORCH_CALLCHAINS", {"stackDepth", "stack"}, number);
        if (row) frames.push_back({numberOf((*row)[0]).value_or(0), numberOf((*row)[1]).value_or(-1)});
        return frames.size() < kMaxFrames;
    });
    std::stable_sort(frames.begin(), frames.end(), [](const Frame& a, const Frame& b) { return a.depth < b.depth; });
    std::string stack;
    for (const Frame& frame : frames) stack += (stack.empty() ? "" : ";\r\n") + lookup.text(frame.text);
    return stack;
}

bool hasWords(DbLookup& lookup, const std::optional<std::string>& id) {
    const auto number = numberOf(id);
    return number && holdsWords(lookup.text(*number));
}

void pythonArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    const std::string type = lookup.enumName("ENUM_API_TYPE", numberOf(row[0]).value_or(0));
    if (type == "queue") {
        const auto connection = numberOf(row[1]);
        if (!connection) return;
        lookup.eachRowOf("CONNECTION_IDS", "id", *connection, [&](std::int64_t number) {
            const auto id = lookup.row("CONNECTION_IDS", {"connectionId"}, number);
            if (id) add(json, "correlation_id", (*id)[0]);
            return !id;
        });
        return;
    }
    if (type == "trace" || type == "mstx") return;
    add(json, "Sequence number", row[2]);
    add(json, "Fwd thread id", row[3]);
    // Some writers have both columns the wrong way round: dimensions are digits, types are words.
    const bool isSwapped = hasWords(lookup, row[4]) && !hasWords(lookup, row[5]);
    addText(json, "Input Dims", lookup, row[isSwapped ? 5 : 4]);
    addText(json, "Input type", lookup, row[isSwapped ? 4 : 5]);
    if (const auto chain = numberOf(row[6])) {
        std::string stack = callStack(lookup, *chain);
        if (!stack.empty()) json["Call stack"] = std::move(stack);
    }
}

void cannArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    if (const auto thread = numberOf(row[0])) json["Thread Id"] = *thread & 0xffffffff;
    const std::string level = lookup.enumName("ENUM_API_TYPE", numberOf(row[1]).value_or(0));
    const std::string name = lookup.text(numberOf(row[2]).value_or(-1));
    // Each level has its name in another place; the other places are not in the database.
    if (level == "node" || level == "runtime" || level == "model") json["Mode"] = name;
    json["level"] = level;
    if (level == "acl") json["id"] = name;
    if (level == "communication" || level == "hccl") json["item_id"] = name;
    add(json, "connection_id", row[3]);
}

void addCopy(RecordJson& json, DbLookup& lookup, std::int64_t task, std::int64_t duration) {
    lookup.eachRowOf("MEMCPY_INFO", "globalTaskId", task, [&](std::int64_t number) {
        const auto copy = lookup.row("MEMCPY_INFO", {"size", "memcpyOperation"}, number);
        if (!copy) return true;
        add(json, "size(B)", (*copy)[0]);
        // Bytes per ns are GB/s.
        if (const auto bytes = numberOf((*copy)[0]); bytes && duration > 0)
            json["bandwidth(GB/s)"] = static_cast<double>(*bytes) / static_cast<double>(duration);
        addEnum(json, "operation", lookup, "ENUM_MEMCPY_OPERATION", (*copy)[1]);
        return false;
    });
}

void taskArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    const auto task = numberOf(row[2]);
    std::optional<std::string> type = row[1];
    if (task) {
        // Runs of a graph repeat it.
        lookup.eachRowOf("COMPUTE_TASK_INFO", "globalTaskId", *task, [&](std::int64_t number) {
            const auto info = lookup.row("COMPUTE_TASK_INFO", {"taskType"}, number);
            if (info && (*info)[0]) type = (*info)[0];
            return !info || !(*info)[0];
        });
    }
    add(json, "Model Id", row[0]);
    addText(json, "Task Type", lookup, type);
    add(json, "Physic Stream Id", row[3]);
    add(json, "Task Id", row[4]);
    add(json, "Subtask Id", row[5]);
    add(json, "connection_id", row[6]);
    const auto begin = numberOf(row[7]), end = numberOf(row[8]);
    if (task) addCopy(json, lookup, *task, begin && end && *end > *begin ? *end - *begin : 0);
}

void collectiveArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    add(json, "rank_size", row[0]);
    add(json, "connection_id", row[1]);
    addEnum(json, "data_type", lookup, "ENUM_HCCL_DATA_TYPE", row[2]);
    addText(json, "alg_type", lookup, row[3]);
    add(json, "count", row[4]);
    if (row[5]) json["relay"] = *row[5] == "0" ? "no" : "yes";
    if (row[6]) json["retry"] = *row[6] == "0" ? "no" : "yes";
}

void smallTaskArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    if (row[0]) json["notify_id"] = *row[0] == "-1" ? std::string("18446744073709551615") : *row[0];
    std::optional<Row> task;
    if (const auto id = numberOf(row[1])) {
        lookup.eachRowOf("TASK", "globalTaskId", *id, [&](std::int64_t number) {
            task = lookup.row("TASK", {"streamId", "taskId", "contextId", "modelId"}, number);
            return !task;
        });
    }
    if (task) {
        add(json, "stream id", (*task)[0]);
        add(json, "task id", (*task)[1]);
        add(json, "context id", (*task)[2]);
    }
    addText(json, "task type", lookup, row[2]);
    add(json, "src rank", row[3]);
    add(json, "dst rank", row[4]);
    addEnum(json, "transport type", lookup, "ENUM_HCCL_TRANSPORT_TYPE", row[5]);
    add(json, "size(Byte)", row[6]);
    addEnum(json, "data type", lookup, "ENUM_HCCL_DATA_TYPE", row[7]);
    addEnum(json, "link type", lookup, "ENUM_HCCL_LINK_TYPE", row[8]);
    addScaled(json, "bandwidth(GB/s)", row[9], kGiga);
    if (task) add(json, "model id", (*task)[3]);
}

void mstxArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    addEnum(json, "event_type", lookup, "ENUM_MSTX_EVENT_TYPE", row[0]);
    addText(json, "domain", lookup, row[1]);
}

void deviceTextArguments(RecordJson& json, DbLookup& lookup, const Row& row) { addText(json, "args", lookup, row[0]); }

struct Maker {
    DbTableCode code;
    const char* table;
    std::vector<const char*> columns;
    void (*make)(RecordJson&, DbLookup&, const Row&);
};

constexpr std::array kSmallTask{"notifyId", "globalTaskId", "taskType", "srcRank",   "dstRank", "transportType",
                                "size",     "dataType",     "linkType", "bandwidth", "planeId", "groupName"};
/// Indices of the columns in which all runs of one task agree.
constexpr std::array<std::size_t, 3> kContentOfTask{2, 10, 11};

/// Writes what all runs of a task agree in; where they are too many to compare, what makes them one task.
void runArguments(RecordJson& json, DbLookup& lookup, const Row& row) {
    Row common = row;
    const auto id = numberOf(row[1]);
    const std::vector<const char*> columns(kSmallTask.begin(), kSmallTask.end());
    static constexpr std::size_t kMaxRows = 10'000;
    std::size_t rows = 0;
    const auto take = [&](std::int64_t number) {
        if (rows++ == kMaxRows) {
            for (std::size_t i = 0; i < common.size(); ++i) {
                const bool isOfAll = kSmallTask[i] == std::string_view("globalTaskId") ||
                                     std::find(kContentOfTask.begin(), kContentOfTask.end(), i) != kContentOfTask.end();
                if (!isOfAll) common[i].reset();
            }
            return false;
        }
        const auto other = lookup.row("COMMUNICATION_TASK_INFO", columns, number);
        const bool isOfTask = other && std::all_of(kContentOfTask.begin(), kContentOfTask.end(),
                                                   [&](std::size_t i) { return (*other)[i] == row[i]; });
        for (std::size_t i = 0; isOfTask && i < common.size(); ++i) {
            if ((*other)[i] != common[i]) common[i].reset();
        }
        return true;
    };
    if (id) lookup.eachRowOf("COMMUNICATION_TASK_INFO", "globalTaskId", *id, take);
    smallTaskArguments(json, lookup, common);
}

const std::vector<Maker>& makers() {
    static const std::vector<const char*> smallTask(kSmallTask.begin(), kSmallTask.end());
    static const std::vector<Maker> kMakers{
        {DbTableCode::Task,
         "TASK",
         {"modelId", "taskType", "globalTaskId", "streamId", "taskId", "contextId", "connectionId", "startNs", "endNs"},
         taskArguments},
        {DbTableCode::CannApi, "CANN_API", {"globalTid", "type", "name", "connectionId"}, cannArguments},
        {DbTableCode::PytorchApi,
         "PYTORCH_API",
         {"type", "connectionId", "sequenceNumber", "fwdThreadId", "inputShapes", "inputDtypes", "callchainId"},
         pythonArguments},
        {DbTableCode::CommunicationOp,
         "COMMUNICATION_OP",
         {"rankSize", "connectionId", "dataType", "algType", "count", "relay", "retry"},
         collectiveArguments},
        {DbTableCode::CommunicationTask, "COMMUNICATION_TASK_INFO", smallTask, smallTaskArguments},
        {DbTableCode::CommunicationRuns, "COMMUNICATION_TASK_INFO", smallTask, runArguments},
        {DbTableCode::MstxEvents, "MSTX_EVENTS", {"eventType", "domainId"}, mstxArguments},
        {DbTableCode::Ccu, "CCU", {"args"}, deviceTextArguments},
        {DbTableCode::DpuTask, "DPU_TASK", {"args"}, deviceTextArguments},
    };
    return kMakers;
}

}  // namespace

std::string_view tableOfRecord(DbTableCode table) {
    switch (table) {
    case DbTableCode::GcRecord: return "GC_RECORD";
    case DbTableCode::OverlapAnalysis: return "OVERLAP_ANALYSIS";
    case DbTableCode::OsrtApi: return "OSRT_API";
    default: break;
    }
    const auto maker =
        std::find_if(makers().begin(), makers().end(), [table](const Maker& one) { return one.code == table; });
    return maker == makers().end() ? std::string_view() : maker->table;
}

std::optional<std::string> recordArguments(DbLookup& lookup, DbTableCode table, std::int64_t row) {
    const auto maker =
        std::find_if(makers().begin(), makers().end(), [table](const Maker& one) { return one.code == table; });
    if (maker == makers().end()) return std::string();
    // Without row ids each row would be looked for from the first one on.
    if (const DbTable* known = lookup.schema().table(maker->table); known != nullptr && !known->hasRowIds)
        return std::string();
    const auto values = lookup.row(maker->table, maker->columns, row);
    if (!values) return std::nullopt;
    const auto made = [&] {
        RecordJson json = RecordJson::object();
        maker->make(json, lookup, *values);
        return json.empty() ? std::string() : dumpJson(json);
    };
    return table == DbTableCode::CommunicationRuns ? lookup.ofAllRuns(row, made) : made();
}

}  // namespace altiscope::reader
