#include "core/analysis/collective_groups.h"
#include "core/analysis/collective_times.h"
#include "core/analysis/fact_readers.h"
#include "core/analysis/kernel_pieces.h"

#include <algorithm>
#include <map>
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

}  // namespace

void readCollectiveFacts(const RankEntry& rank, const GroupDirectory& groups, const DeviceActivity& activity, RankFacts& facts,
                         const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups types(groups, rank.info.rankId);
    const StepSums sums(&trace, activity.steps, StepSums::Clock::Device);
    std::map<std::pair<std::string, bool>, CollectiveFacts> byType;
    const TraceDevices devices(&trace);
    // Where several run at once the time is that of the first to begin, so that all together are as long as their union.
    std::vector<TimeNs> coveredOf(activity.devices.size(), TimeNs{-kMaxTimeNs});
    for (const CollectiveSlice& one : collectiveSlices(trace, cancel)) {
        if (cancel.cancelled()) return;
        const std::string_view name = trace.name(one.slice);
        CollectiveFacts& sum = byType[{types.parallelType(trace.tracks()[one.track].name, name), isPeerToPeerName(name)}];
        const std::size_t device = devices.ofTrack(one.track);
        TimeNs& covered = coveredOf[device];
        const TimeRange own{std::max(one.range.begin, covered), std::max(one.range.end, covered)};
        covered = own.end;
        sums.add(sum.all, one.slice, own.length().value);
        const std::int64_t exposed = own.length().value - lengthWithin(activity.devices[device].computing, own).value;
        if (exposed > 0) sums.add(sum.exposed, one.slice, exposed);
    }
    for (auto& [key, sum] : byType) {
        sum.parallelType = key.first;
        sum.isPeerToPeer = key.second;
        facts.collectives.push_back(std::move(sum));
    }
}

}  // namespace altiscope
