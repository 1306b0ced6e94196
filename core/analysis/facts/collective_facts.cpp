#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/collectives/collective_times.h"
#include "core/analysis/facts/fact_readers.h"
#include "core/analysis/steps/kernel_pieces.h"
#include "core/analysis/support/interval_set.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

struct CollectiveSlice {
    TimeRange range;
    SliceIndex slice;
    std::uint32_t track = 0;
};

/// The collectives of all groups, by begin, of those that begin at once the longest first.
std::vector<CollectiveSlice> collectiveSlices(const TraceStore& trace, const CancelToken& cancel) {
    std::vector<CollectiveSlice> slices;
    for (std::uint32_t t = 0; t < trace.tracks().size() && !cancel.cancelled(); ++t) {
        if (!isGroupTrack(trace.tracks()[t])) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i)
            slices.push_back({{trace.begin({i}), trace.end({i})}, {i}, t});
    }
    std::stable_sort(slices.begin(), slices.end(), [](const CollectiveSlice& a, const CollectiveSlice& b) {
        return a.range.begin != b.range.begin ? a.range.begin < b.range.begin : b.range.end < a.range.end;
    });
    return slices;
}

/// Collectives of one type at the end of a step, so far.
struct LastRun {
    std::optional<std::size_t> step;
    TimeNs end{-kMaxTimeNs};
    std::int64_t exposed = 0;

    /// @return What the run before was exposed, if it was the last one of its step.
    std::int64_t add(std::optional<std::size_t> ofStep, TimeRange range, std::int64_t ns,
                     const IntervalSet& computing) {
        // Kernels of some microseconds between two launches hide nothing.
        constexpr std::int64_t kLittle = 100;
        const bool isNewStep = ofStep != step;
        const bool follows =
            !isNewStep &&
            (range.begin < end || lengthWithin(computing, {end, range.begin}).value * kLittle <= range.length().value);
        const std::int64_t before = isNewStep && step ? exposed : 0;
        exposed = follows ? saturatedSum(exposed, ns) : ns;
        step = ofStep;
        end = isNewStep ? range.end : std::max(end, range.end);
        return before;
    }
};

}  // namespace

void readCollectiveFacts(const RankEntry& rank, const GroupDirectory& groups, const DeviceActivity& activity,
                         RankFacts& facts, const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups types(groups, rank.info.rankId);
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Device);
    std::map<std::pair<std::string, bool>, CollectiveFacts> byType;
    std::map<std::pair<std::string, bool>, LastRun> lastRuns;
    const TraceDevices devices(&trace);
    // Where several run at once the time is that of the first to begin, so that all together are as long as their
    // union.
    std::vector<TimeNs> coveredOf(activity.devices.size(), TimeNs{-kMaxTimeNs});
    for (const CollectiveSlice& one : collectiveSlices(trace, cancel)) {
        if (cancel.cancelled()) return;
        const std::string_view name = trace.name(one.slice);
        const std::pair<std::string, bool> type{types.parallelType(trace.tracks()[one.track].name, name),
                                                isPeerToPeerName(name)};
        CollectiveFacts& sum = byType[type];
        const std::size_t device = devices.ofTrack(one.track);
        TimeNs& covered = coveredOf[device];
        const TimeRange own{std::max(one.range.begin, covered), std::max(one.range.end, covered)};
        covered = own.end;
        sums.add(sum.all, one.slice, own.length().value);
        const std::int64_t exposed = own.length().value - lengthWithin(activity.devices[device].computing, own).value;
        if (exposed > 0) sums.add(sum.exposed, one.slice, exposed);
        addSaturated(sum.lastExposed, lastRuns[type].add(sums.stepAt(one.range.begin), one.range, exposed,
                                                         activity.devices[device].computing));
    }
    for (auto& [key, sum] : byType) {
        const LastRun& last = lastRuns[key];
        if (last.step) addSaturated(sum.lastExposed, last.exposed);
        sum.parallelType = key.first;
        sum.isPeerToPeer = key.second;
        facts.collectives.push_back(std::move(sum));
    }
}

}  // namespace altiscope
