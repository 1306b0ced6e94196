#include "core/import/database/db_device_scans.h"

#include "core/import/database/db_collectives.h"
#include "core/import/database_lookup/db_position.h"

#include <algorithm>
#include <optional>

namespace altiscope::reader {

namespace {

/// "None" in columns that hold unsigned numbers of 32 bits.
constexpr std::int64_t kNone = 4294967295;
/// Threads of the communication layer: each group has a row of numbers, its own first, then one per plane.
constexpr std::int64_t kThreadsOfGroup = 1024;

constexpr std::uint8_t codeOf(DbTableCode table) { return static_cast<std::uint8_t>(table); }

void addDeviceSlice(DbPart& part, ProvisionalTrack track, std::int64_t begin, std::int64_t duration,
                    ProvisionalText name, DbWorker& worker, SourcePos pos) {
    ++part.rows;
    part.segment.slices.add(track, begin, duration, name, worker.names.text({}), pos);
}

std::int64_t groupNumber(const DbContext& context, std::int64_t group) {
    const auto known = context.groupNumbers.find(group);
    return known == context.groupNumbers.end() ? static_cast<std::int64_t>(context.groupNumbers.size()) : known->second;
}

ProvisionalTrack groupTrack(const DbContext& context, DbWorker& worker, std::int64_t device, std::int64_t group) {
    return worker.tracks.thread(DbLayer::Communication, device, groupNumber(context, group) * kThreadsOfGroup, [&] {
        return context.texts.contains(group) ? "Group " + std::string(context.texts.text(group)) + " Communication"
                                             : std::string("Communication");
    });
}

ProvisionalTrack planeTrack(const DbContext& context, DbWorker& worker, std::int64_t device,
                            const DbContext::SmallTask& task) {
    const bool isPlane = task.plane >= 0 && task.plane < kThreadsOfGroup - 2;
    const std::int64_t thread =
        groupNumber(context, task.group) * kThreadsOfGroup + (isPlane ? task.plane + 1 : kThreadsOfGroup - 1);
    return worker.tracks.thread(DbLayer::Communication, device, thread, [&] {
        return isPlane ? "Plane " + std::to_string(task.plane) : std::string("Plane N/A");
    });
}

/// The row that describes a small task in the run of its graph that is at `time`; nullopt where several may.
std::optional<std::int64_t> rowOfRun(const DbContext& context, const DbContext::SmallTask& task, std::int64_t time) {
    const auto runs = context.runs.of(task.row);
    if (runs.empty()) return task.row;
    const auto timed = std::partition_point(runs.begin(), runs.end(), [](const auto& run) { return !run.hasTime(); });
    // Runs without a time fit any time and are sorted by fingerprint: they agree if the first and the last do.
    const DbContext::Run* const timeless = timed == runs.begin() ? nullptr : &runs.front();
    if (timeless != nullptr && timeless->fingerprint != (timed - 1)->fingerprint) return std::nullopt;
    // More may reach a time only where many begin at once.
    static constexpr int kMaxLooks = 2 * static_cast<int>(kMaxWithinRun);
    auto before = std::upper_bound(timed, runs.end(), time,
                                   [](std::int64_t wanted, const auto& run) { return wanted < run.begin; });
    const DbContext::Run* found = nullptr;
    for (int looks = 0; before != timed && (before - 1)->lastEnd >= time; ++looks) {
        if (looks == kMaxLooks) return std::nullopt;
        --before;
        // The end of one may be the begin of the next one.
        const bool isThere = before->end > time || (found == nullptr && before->end == time);
        if (!isThere) continue;
        if (found != nullptr && found->fingerprint != before->fingerprint) return std::nullopt;
        if (found == nullptr) found = &*before;
    }
    if (found == nullptr) found = timeless;
    if (timeless != nullptr && timeless->fingerprint != found->fingerprint) return std::nullopt;
    return found == nullptr ? std::nullopt : std::optional(found->row);
}

DbScan taskScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) {
            // Reported as a row of this table: its kernel is not missing here once more.
            DbProblemLog ignored;
            const auto task = row.loggedTo(ignored).integer(5);
            if (task && context.kernels.contains(*task)) ++part.kernelsDropped;
            return;
        }
        const std::int64_t duration = row.durationFrom(*begin, 1);
        const std::int64_t device = row.integerOr(2, 0);
        const auto streamCell = row.integer(3);
        const std::int64_t stream = streamCell.value_or(0);
        const std::int64_t type = row.integerOr(4, -1);
        const auto task = row.integer(5), connection = row.integer(6);
        const std::int64_t subTask = row.integerOr(7, kNone);
        const ProvisionalTrack track = worker.tracks.thread(DbLayer::Hardware, device, stream,
                                                            [stream] { return "Stream " + std::to_string(stream); });
        const std::uint32_t* kernel = task ? context.kernels.first(*task) : nullptr;
        const std::int64_t* name = kernel != nullptr ? &context.kernelInfos[*kernel].name
                                   : task            ? context.otherNames.first(*task)
                                                     : nullptr;
        addDeviceSlice(part, track, *begin, duration,
                       context.texts.provisional(name != nullptr ? *name : type, worker.names), worker, pos);
        if (kernel != nullptr) {
            if (context.computesOverlap) part.intervals.push_back({*begin, *begin + duration, device, false});
            part.kernels.push_back(
                {*begin, duration, device, streamCell.value_or(kNoCell), connection.value_or(-1), *task, *kernel, 0});
        }

        // The same task once more, as a part of its collective.
        const auto parts = task ? context.smallTasks.of(*task) : std::span<const DbContext::SmallTask>();
        for (const DbContext::SmallTask& small : parts) {
            const auto described = rowOfRun(context, small, *begin);
            if (!described) row.problem(DbProblem::UnknownRun, 5);
            const DbTableCode code = described ? DbTableCode::CommunicationTask : DbTableCode::CommunicationRuns;
            addDeviceSlice(part, planeTrack(context, worker, device, small), *begin, duration,
                           context.texts.provisional(small.name, worker.names), worker,
                           dbPosition(context.file.number, codeOf(code), described.value_or(small.row)));
        }
        part.smallTasksSeen += parts.size();
        if (!connection || *connection < 0 || *connection == kNone) return;
        // The launch of a collective leads to the collective, and to those of its tasks that are whole copies; the
        // sub-tasks that its parent task starts on the device have no launch, and neither have events. That parent, and
        // that of a mixed kernel, has none either: it is a task without sub-task number, name or collective that
        // computes. Checked against the text exports.
        const bool isSubTask = subTask != kNone;
        const std::string_view typeName = context.texts.text(type);
        if (typeName == "EVENT_RECORD" || typeName == "EVENT_WAIT") return;
        if (!parts.empty() && (isSubTask || typeName != "MEMCPY_ASYNC")) return;
        const bool isParent =
            name == nullptr && parts.empty() && !isSubTask &&
            (typeName.find("AI_CORE") != std::string_view::npos || typeName.find("AICORE") != std::string_view::npos);
        if (!isParent) part.flowPoints.push_back({DbFlowPoint::Kind::Task, *connection, *begin, track, pos});
    };
    return {"TASK",
            codeOf(DbTableCode::Task),
            {"startNs", "endNs", "deviceId", "streamId", "taskType", "globalTaskId", "connectionId", "contextId"},
            2,
            take};
}

DbScan collectiveScan(const DbContext& context) {
    static constexpr const char* kTable = "COMMUNICATION_OP";
    const DbTable* table = context.schema.table(kTable);
    const bool hasGroups = table != nullptr && table->has("groupName");
    const auto take = [&context, hasGroups](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const std::int64_t duration = row.durationFrom(*begin, 1);
        const std::int64_t device = row.integerOr(4, context.firstDevice);
        const ProvisionalTrack track = groupTrack(context, worker, device, hasGroups ? row.nameId(3) : -1);
        const std::int64_t name = row.nameId(2);
        addDeviceSlice(part, track, *begin, duration, context.texts.provisional(name, worker.names), worker, pos);
        if (context.computesOverlap) part.intervals.push_back({*begin, *begin + duration, device, true});
        const auto connection = row.integer(5);
        const bool isLaunched = connection && *connection >= 0 && *connection != kNone;
        if (isLaunched) part.flowPoints.push_back({DbFlowPoint::Kind::Task, *connection, *begin, track, pos});
        part.collectives.push_back({{*begin, duration, device, kNoCell, isLaunched ? *connection : -1, kNoCell, 0, 0},
                                    name,
                                    row.integerOr(6, DbKernelInfo::kNoText)});
    };
    return {kTable,
            codeOf(DbTableCode::CommunicationOp),
            {"startNs", "endNs", "opName", "groupName", "deviceId", "connectionId", "opType"},
            3,
            take};
}

DbScan overlapScan() {
    const auto take = [](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        const auto type = row.neededId(2);
        if (!begin || !type) return;
        if (overlapName(*type).empty()) return row.problem(DbProblem::MissingId, 2);
        const ProvisionalTrack track = worker.tracks.thread(DbLayer::Overlap, row.integerOr(3, 0), *type,
                                                            [type] { return std::string(overlapName(*type)); });
        addDeviceSlice(part, track, *begin, row.durationFrom(*begin, 1), worker.names.text(overlapName(*type)), worker,
                       pos);
    };
    return {
        "OVERLAP_ANALYSIS", codeOf(DbTableCode::OverlapAnalysis), {"startNs", "endNs", "type", "deviceId"}, 3, take};
}

DbScan ccuScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const ProvisionalTrack track =
            worker.tracks.thread(DbLayer::Ccu, row.integerOr(3, 0), 0, [] { return std::string("CCU"); });
        addDeviceSlice(part, track, *begin, row.durationFrom(*begin, 1),
                       context.texts.provisional(row.integerOr(2, -1), worker.names), worker, pos);
    };
    return {"CCU", codeOf(DbTableCode::Ccu), {"startNs", "endNs", "name", "deviceId"}, 3, take};
}

DbScan dpuScan(const DbContext& context) {
    const auto take = [&context](const DbRow& row, SourcePos pos, DbWorker& worker, DbPart& part) {
        const auto begin = row.neededTime(0);
        if (!begin) return;
        const std::int64_t stream = row.integerOr(4, 0);
        const ProvisionalTrack track = worker.tracks.thread(DbLayer::Dpu, row.integerOr(3, 0), stream,
                                                            [stream] { return "Stream " + std::to_string(stream); });
        addDeviceSlice(part, track, *begin, row.durationFrom(*begin, 1),
                       context.texts.provisional(row.integerOr(2, -1), worker.names), worker, pos);
    };
    return {
        "DPU_TASK", codeOf(DbTableCode::DpuTask), {"startNs", "endNs", "opName", "dpuDeviceId", "streamId"}, 3, take};
}

}  // namespace

std::string_view overlapName(std::int64_t type) {
    switch (type) {
    case 0: return "Computing";
    case 1: return "Communication";
    case 2: return "Communication(Not Overlapped)";
    case 3: return "Free";
    default: return {};
    }
}

std::vector<DbScan> deviceScans(const DbContext& context) {
    std::vector<DbScan> scans{taskScan(context), collectiveScan(context), ccuScan(context), dpuScan(context)};
    if (!context.computesOverlap) scans.push_back(overlapScan());
    return scans;
}

}  // namespace altiscope::reader
