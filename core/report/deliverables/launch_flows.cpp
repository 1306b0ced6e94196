#include "core/report/deliverables/launch_flows.h"

#include "core/store/columns/trace_store.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::string_view kLaunchFlow = "HostToDevice", kCopy = "MEMCPY_ASYNC";

/// Calls that launch operators, and those that record events or wait for them.
bool launches(std::string_view name) {
    return name.starts_with("Node@") || name == "AscendCL@aclrtRecordEvent" || name == "AscendCL@aclrtStreamWaitEvent";
}

template <class Add>
void eachSlice(const TraceStore& trace, TrackKind kind, const Add& add) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        if (track.kind != kind || track.origin == Origin::Computed) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = 0; i < extent.sliceCount; ++i) add(SliceIndex{extent.firstSlice + i});
    }
}

}  // namespace

LaunchFlows::LaunchFlows(const DeliverableInput& input) {
    const TraceStore& trace = *input.rank.trace;
    m_starts.resize(trace.sliceCount());
    m_ends.resize(trace.sliceCount());
    addPairs(trace);
    addCalls(trace);
    addTasks(input);
}

void LaunchFlows::addPairs(const TraceStore& trace) {
    const auto category = trace.texts().find(kLaunchFlow);
    const TraceColumns& columns = trace.columns();
    for (std::size_t i = 0; category && i < trace.flowCount(); ++i) {
        if (columns.flowCategory[i] != *category) continue;
        const SliceIndex from{columns.flowFrom[i]}, to{columns.flowTo[i]};
        if (from != kNoSlice) m_starts[from.value] = true;
        if (to != kNoSlice) m_ends[to.value] = true;
    }
}

/// Also calls that launched nothing.
void LaunchFlows::addCalls(const TraceStore& trace) {
    eachSlice(trace, TrackKind::Cann, [&](SliceIndex slice) {
        if (launches(trace.name(slice))) m_starts[slice.value] = true;
    });
}

/// Also tasks to which no drawn call leads: all that compute an operator, and all copies.
void LaunchFlows::addTasks(const DeliverableInput& input) {
    std::vector<SourcePos> computing;
    for (const TaskRecord& task : input.tasks.tasks) {
        if (task.hasOp && task.pos) computing.push_back(*task.pos);
    }
    std::sort(computing.begin(), computing.end());
    const TraceStore& trace = *input.rank.trace;
    eachSlice(trace, TrackKind::Hardware, [&](SliceIndex slice) {
        if (trace.name(slice) == kCopy || std::binary_search(computing.begin(), computing.end(), trace.pos(slice)))
            m_ends[slice.value] = true;
    });
}

}  // namespace altiscope
