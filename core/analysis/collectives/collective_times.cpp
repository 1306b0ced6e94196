#include "core/analysis/collectives/collective_times.h"

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_tasks.h"
#include "core/analysis/support/saturating.h"
#include "core/base/threads/parallel.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace altiscope {

namespace {

struct Task {
    TimeNs begin;
    std::int64_t duration = 0;
    TaskKind word = TaskKind::Other;
};

/// The tasks of a plane, by begin.
std::vector<Task> tasksOf(const TraceStore& trace, std::uint32_t plane, const TaskKinds& words,
                          const CancelToken& cancel) {
    std::vector<Task> tasks;
    const TrackExtent& extent = trace.extent({plane});
    tasks.reserve(extent.sliceCount);
    for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
        if ((i & 0xffffU) == 0 && cancel.cancelled()) return {};
        tasks.push_back({trace.begin({i}), trace.duration({i}).value, words.of(trace.nameId({i}))});
    }
    const auto before = [](const Task& a, const Task& b) { return a.begin < b.begin; };
    if (!std::is_sorted(tasks.begin(), tasks.end(), before)) std::stable_sort(tasks.begin(), tasks.end(), before);
    return tasks;
}

/// Sums over the tasks of one collective on one plane, added by begin.
struct PlaneSums {
    std::int64_t wait = 0, synchronization = 0, transit = 0;  ///< ns
    bool any = false, waits = false, moved = false, remote = false;

    void add(const Task& task) {
        any = true;
        switch (task.word) {
        case TaskKind::Wait:
            waits = true;
            addSaturated(wait, task.duration);
            if (!moved) addSaturated(synchronization, task.duration);
            break;
        case TaskKind::Transit:
            addSaturated(transit, task.duration);
            moved = true;
            break;
        case TaskKind::Remote: remote = moved = true; break;
        case TaskKind::Other: break;
        }
    }
};

/// What each collective did on its main plane.
std::vector<PlaneSums> mainPlanes(const TraceStore& trace, const GroupTracks& tracks,
                                  const GroupCollectives& collectives, const TaskKinds& words,
                                  const CancelToken& cancel) {
    std::vector<PlaneSums> mains(collectives.ranges.size());
    for (const std::uint32_t plane : tracks.planes) {
        std::vector<PlaneSums> sums(mains.size());
        RunningCollective running(collectives.ranges);
        for (const Task& task : tasksOf(trace, plane, words, cancel)) {
            if (const auto place = running.at(task.begin)) sums[*place].add(task);
        }
        if (cancel.cancelled()) break;
        for (std::size_t i = 0; i < mains.size(); ++i) {
            if (!mains[i].waits && (sums[i].waits || !mains[i].any)) mains[i] = sums[i];
        }
    }
    return mains;
}

}  // namespace

std::vector<CollectiveTime> collectiveTimes(const RankEntry& rank, const CaptureGroups& groups,
                                            const DeviceActivity& activity, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const TaskKinds words(trace);
    const CollectiveGroups names(groups, rank.info.rankId);
    const std::vector<GroupTracks> tracks = groupTracks(trace);
    std::vector<std::vector<CollectiveTime>> byGroup(tracks.size());
    parallelFor(tracks.size(), [&](std::size_t g) {
        const GroupCollectives collectives(trace, tracks[g].group);
        const std::vector<PlaneSums> mains = mainPlanes(trace, tracks[g], collectives, words, cancel);
        for (std::size_t i = 0; i < mains.size() && !cancel.cancelled(); ++i) {
            const PlaneSums& main = mains[i];
            if (!main.any) continue;
            CollectiveTime row;
            row.slice = collectives.slices[i];
            row.opName = trace.name(row.slice);
            row.groupName = names.name(trace.tracks()[tracks[g].group].name, row.opName);
            row.isPeerToPeer = isPeerToPeerName(row.opName);
            row.begin = collectives.ranges[i].begin;
            row.elapsed = collectives.ranges[i].length().value;
            if (const auto step = activity.stepAt(row.begin)) row.step = activity.steps[*step].step;
            row.wait = main.wait;
            row.synchronization = main.synchronization;
            if (!main.remote) {
                row.transit = main.transit;
                // Tasks of a damaged or foreign plane may be longer than their collective.
                row.idle = std::max<std::int64_t>(
                    0, saturatedDifference(saturatedDifference(row.elapsed, main.transit), main.wait));
            }
            byGroup[g].push_back(std::move(row));
        }
    });
    std::vector<CollectiveTime> all;
    if (cancel.cancelled()) return all;
    for (std::vector<CollectiveTime>& rows : byGroup) std::move(rows.begin(), rows.end(), std::back_inserter(all));
    return all;
}

}  // namespace altiscope
