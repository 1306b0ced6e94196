#include "core/analysis/account/connections.h"
#include "core/analysis/account/graph_parts.h"
#include "core/analysis/steps/kernel_pieces.h"
#include "core/base/text/ascii.h"

#include <algorithm>
#include <string>

namespace altiscope {

namespace {

bool isPartOfCollective(std::string_view name) {
    // Tasks of collectives on streams (core/import/trace/FORMAT.md section 4), where nothing joins them with theirs.
    for (const std::string_view begin : {"Notify", "NOTIFY", "SDMA", "Write Value", "WRITE_VALUE", "RDMA"}) {
        if (name.starts_with(begin)) return true;
    }
    return false;
}

NodeKind nodeKindOf(std::string_view name) {
    static constexpr std::string_view kCopy = "memcpy";
    if (name.starts_with("EVENT_RECORD")) return NodeKind::Record;
    if (name.starts_with("EVENT_WAIT")) return NodeKind::EventWait;
    if (name.size() >= kCopy.size() &&
        std::equal(kCopy.begin(), kCopy.end(), name.begin(), [](char a, char b) { return a == asciiLower(b); }))
        return NodeKind::Copy;
    return isKernelName(name) ? NodeKind::Kernel : NodeKind::Task;
}

bool isOfDevice(const TraceDevices& devices, std::uint32_t track, std::optional<std::int64_t> device) {
    return !device || devices.number(devices.ofTrack(track)) == device;
}

void addAll(const TraceStore& trace, std::uint32_t track, std::vector<SliceIndex>& to) {
    const TrackExtent& extent = trace.extent({track});
    for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) to.push_back({i});
}

/// A wait ends when what it waits for happened; how long it lay there before says nothing.
constexpr std::int64_t kEventWaitNs = 20;

StreamTask taskOf(const TraceStore& trace, SliceIndex slice, std::uint32_t track, std::int64_t connection) {
    StreamTask task{slice,     track, nodeKindOf(trace.name(slice)), trace.begin(slice).value, trace.end(slice).value,
                    connection};
    return task;
}

/// Puts the slices of streams in order: those of collectives once, where the first of them begins.
void addTasks(const TraceStore& trace, const std::vector<SliceIndex>& slices, const std::vector<std::uint32_t>& tracks,
              const std::vector<std::int64_t>& connections, DeviceSlices& device) {
    std::unordered_map<std::int64_t, std::uint32_t> collectives;
    for (std::uint32_t i = 0; i < device.collectives.size(); ++i) {
        if (device.connections[i] != kNoConnection) collectives.emplace(device.connections[i], i);
    }
    std::vector<std::uint32_t> firstTask(device.collectives.size(), kNoNode);
    for (std::uint32_t i = 0; i < slices.size(); ++i) {
        const std::string_view name = trace.name(slices[i]);
        if (name.starts_with("PROFILING_")) continue;
        const auto found = connections[i] == kNoConnection ? collectives.end() : collectives.find(connections[i]);
        if (found == collectives.end()) {
            if (!isPartOfCollective(name)) device.tasks.push_back(taskOf(trace, slices[i], tracks[i], connections[i]));
            continue;
        }
        std::uint32_t& first = firstTask[found->second];
        if (first == kNoNode || trace.begin(slices[i]) < trace.begin(slices[first])) first = i;
    }
    for (std::uint32_t c = 0; c < firstTask.size(); ++c) {
        const SliceIndex slice = device.collectives[c].slice;
        StreamTask task{
            slice, kNoNode, NodeKind::Arrival, trace.begin(slice).value, trace.end(slice).value, device.connections[c],
            c};
        if (firstTask[c] != kNoNode) task.track = tracks[firstTask[c]];
        device.tasks.push_back(task);
    }
    std::stable_sort(device.tasks.begin(), device.tasks.end(), [](const StreamTask& a, const StreamTask& b) {
        return std::pair(a.track, a.start) < std::pair(b.track, b.start);
    });
    for (StreamTask& task : device.tasks) {
        if (task.kind == NodeKind::EventWait) task.start = std::max(task.start, task.end - kEventWaitNs);
    }
}

}  // namespace

DeviceSlices deviceSlices(const RankEntry& rank, std::optional<std::int64_t> device, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const TraceDevices devices(&trace);
    std::vector<SliceIndex> slices, groups;
    std::vector<std::uint32_t> tracks, groupTracksOf;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (!isOfDevice(devices, t, device)) continue;
        if (isGroupTrack(track)) addAll(trace, t, groups);
        if (isStreamTrack(track)) addAll(trace, t, slices);
        groupTracksOf.resize(groups.size(), t);
        tracks.resize(slices.size(), t);
    }
    DeviceSlices found;
    std::vector<SliceIndex> all = slices;
    all.insert(all.end(), groups.begin(), groups.end());
    std::vector<std::int64_t> connections = connectionsOf(rank, all, cancel);
    for (std::size_t i = 0; i < groups.size(); ++i) {
        found.collectives.push_back({groups[i], groupTracksOf[i]});
        found.connections.push_back(connections[slices.size() + i]);
    }
    addTasks(trace, slices, tracks, connections, found);
    return found;
}

HostSlices hostSlices(const RankEntry& rank, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    HostSlices found;
    found.isWorker.resize(trace.tracks().size());
    const auto [firstEnqueue, afterEnqueue] = trace.texts().prefixRange("Enqueue");
    const auto [firstDequeue, afterDequeue] = trace.texts().prefixRange("Dequeue");
    std::vector<SliceIndex> calls;
    std::vector<std::string> workers;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        const TrackKind kind = trace.tracks()[t].kind;
        if (kind != TrackKind::Python && kind != TrackKind::Cann && kind != TrackKind::Stack) continue;
        found.tracks.push_back(t);
        const TrackExtent& extent = trace.extent({t});
        const std::size_t dequeuesBefore = found.dequeues.size();
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            const StringId name = trace.nameId({i});
            if (kind == TrackKind::Cann) {
                calls.push_back({i});
                if (trace.text(name).find("Synchronize") != std::string_view::npos)
                    found.synchronizations.push_back({i});
            } else if (kind == TrackKind::Python) {
                if (name >= firstEnqueue && name < afterEnqueue) found.enqueues.push_back({i});
                if (name >= firstDequeue && name < afterDequeue) found.dequeues.push_back({i});
            }
        }
        if (found.dequeues.size() > dequeuesBefore) workers.push_back(trace.tracks()[t].tid);
    }
    for (const std::uint32_t t : found.tracks)
        found.isWorker[t] = std::find(workers.begin(), workers.end(), trace.tracks()[t].tid) != workers.end();
    std::erase_if(found.synchronizations, [&](SliceIndex i) { return found.isWorker[trace.runOf(i).track]; });
    const std::vector<std::int64_t> connections = connectionsOf(rank, calls, cancel);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        if (connections[i] == kNoConnection) continue;
        const auto [known, isNew] = found.calls.emplace(connections[i], calls[i]);
        if (!isNew && trace.duration(calls[i]) < trace.duration(known->second)) known->second = calls[i];
    }
    return found;
}

}  // namespace altiscope
