#include "core/report/deliverables/older_arrows.h"

#include "core/base/values/parse.h"
#include "core/report/deliverables/argument_number.h"
#include "core/store/columns/trace_store.h"

#include <algorithm>

namespace altiscope {

namespace {

constexpr std::string_view kCopyTask = "MEMCPY_ASYNC", kLaunchCall = "Node@launch";
/// A call without known contexts counts as one with this context: 2^32 - 1, less a carry into the connection.
constexpr std::int64_t kNoneOfCall = -1;

bool isEventCall(std::string_view name) {
    return name == "AscendCL@aclrtRecordEvent" || name == "AscendCL@aclrtStreamWaitEvent";
}

__extension__ using Unsigned128 = unsigned __int128;

/// "(connection << 32) + context".
std::string connectionId(std::int64_t connection, std::int64_t context) {
    return std::to_string((connection << 32) + context);
}

/// Six bits of the device, then stream, task and batch with 16 bits each, then the context with 32.
std::string taskId(const TaskRecord& task) {
    Unsigned128 id = static_cast<Unsigned128>(static_cast<std::uint64_t>(task.device)) << 80;
    id += static_cast<Unsigned128>(task.stream) << 64;
    id += static_cast<Unsigned128>(task.task) << 48;
    id += static_cast<Unsigned128>(task.batch) << 32;
    id += task.context;
    std::string digits;
    for (; id > 0 || digits.empty(); id /= 10)
        digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(id % 10)));
    return digits;
}

}  // namespace

OlderArrows::OlderArrows(const DeliverableInput& input, std::string process)
    : m_records(input.tasks), m_trace(*input.rank.trace), m_process(std::move(process)) {
    addCalls(input);
    addTasks(input.tasks);
}

void OlderArrows::addCalls(const DeliverableInput& input) {
    struct CallSlice {
        SourcePos pos;
        SliceIndex slice;
        std::uint32_t track;
    };
    std::vector<CallSlice> places;
    for (std::uint32_t t = 0; t < m_trace.tracks().size(); ++t) {
        const Track& track = m_trace.track({t});
        const bool isCann = track.kind == TrackKind::Cann;
        if ((!isCann && track.kind != TrackKind::Communication) || track.origin == Origin::Computed) continue;
        const TrackExtent& extent = m_trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) {
            const SliceIndex slice{extent.firstSlice + i};
            m_hasCalls = m_hasCalls || isCann;
            if (!isCann || isEventCall(m_trace.name(slice))) places.push_back({m_trace.pos(slice), slice, t});
        }
    }
    if (input.rank.arguments == nullptr) return;
    std::vector<SourcePos> positions;
    positions.reserve(places.size());
    for (const CallSlice& place : places) positions.push_back(place.pos);
    input.rank.arguments->each(positions, [&](std::size_t i, const Result<std::string_view>& text) {
        const auto connection = text.ok() ? numberInArguments(text.value(), "connection_id") : std::nullopt;
        if (!connection) return;
        const Track& track = m_trace.track({places[i].track});
        if (track.kind == TrackKind::Communication) m_collectives.push_back(*connection);
        else if (const auto thread = wholeNumber<std::int64_t>(track.tid))
            m_eventCalls[*connection] = {*thread, m_trace.begin(places[i].slice)};
    });
    std::sort(m_collectives.begin(), m_collectives.end());
}

void OlderArrows::addTasks(const TaskRecords& tasks) {
    for (std::size_t i = 0; i < tasks.tasks.size(); ++i) {
        const TaskRecord& task = tasks.tasks[i];
        if (task.pos) m_tasks.emplace_back(*task.pos, i);
        if (task.hasOp) {
            m_computing[{task.device, task.stream, task.task, task.batch}] = &task;
            m_contexts[task.connection].push_back(task.context);
        }
        if (task.runtimeType != TaskRecord::kNone && tasks.texts[task.runtimeType] == kCopyTask)
            m_copies[task.connection].push_back(task.context);
    }
    std::sort(m_tasks.begin(), m_tasks.end());
}

void OlderArrows::addTaskEnds(const TaskRecord& task, std::vector<End>& ends) const {
    std::optional<std::pair<std::int64_t, TimeNs>> begin;
    const auto computing = m_computing.find({task.device, task.stream, task.task, task.batch});
    if (computing != m_computing.end()) {
        begin = {computing->second->launchThread, TimeNs{computing->second->launched}};
    } else if (const auto call = m_eventCalls.find(task.connection); call != m_eventCalls.end()) {
        begin = call->second;
    }
    if (begin) {
        const std::string id = taskId(task);
        ends.push_back({true, id, begin});
        ends.push_back({false, id, std::nullopt});
    }
}

void OlderArrows::write(EventText& events, SliceIndex slice, EventText::Thread own, TimeNs begin,
                        std::string_view arguments) const {
    for (const End& end : endsAt(slice, numberInArguments(arguments, "connection_id"))) {
        if (!end.host) {
            events.launch(end.isStart, end.id, own, begin);
            continue;
        }
        const std::string thread = std::to_string(end.host->first);
        events.launch(end.isStart, end.id, {m_process, thread}, {printedTime(end.host->second.value, m_records.host)});
    }
}

std::vector<OlderArrows::End> OlderArrows::endsAt(SliceIndex slice, std::optional<std::int64_t> connection) const {
    std::vector<End> ends;
    if (!m_hasCalls) return ends;
    const Track& track = m_trace.track({m_trace.runOf(slice).track});
    const std::string_view name = m_trace.name(slice);
    if (track.kind == TrackKind::Communication) {
        if (connection) ends.push_back({false, connectionId(*connection, kNoneOfCall), std::nullopt});
    } else if (track.kind == TrackKind::Hardware) {
        const SourcePos pos = m_trace.pos(slice);
        const auto found = std::lower_bound(m_tasks.begin(), m_tasks.end(), pos,
                                            [](const auto& one, SourcePos wanted) { return one.first < wanted; });
        if (found == m_tasks.end() || found->first != pos) return ends;
        const TaskRecord& task = m_records.tasks[found->second];
        addTaskEnds(task, ends);
        if (name == kCopyTask && m_copies.count(task.connection) > 0)
            ends.push_back({false, connectionId(task.connection, task.context), std::nullopt});
    } else if (track.kind == TrackKind::Cann && connection) {
        if (name == kLaunchCall && std::binary_search(m_collectives.begin(), m_collectives.end(), *connection)) {
            const auto contexts = m_contexts.find(*connection);
            if (contexts == m_contexts.end()) ends.push_back({true, connectionId(*connection, kNoneOfCall), {}});
            else
                for (const std::uint32_t one : contexts->second)
                    ends.push_back({true, connectionId(*connection, one), std::nullopt});
        }
        if (const auto copies = m_copies.find(*connection); copies != m_copies.end()) {
            for (const std::uint32_t one : copies->second)
                ends.push_back({true, connectionId(*connection, one), std::nullopt});
        }
    }
    return ends;
}

}  // namespace altiscope
