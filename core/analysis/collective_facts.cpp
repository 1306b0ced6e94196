#include "core/analysis/collective_groups.h"
#include "core/analysis/collective_times.h"
#include "core/analysis/fact_readers.h"

#include <map>
#include <string>
#include <utility>

namespace altiscope {

void readCollectiveFacts(const RankEntry& rank, const RowTables* groups, const DeviceActivity& activity, RankFacts& facts,
                         const CancelToken& cancel) {
    const TraceStore& trace = *rank.trace;
    const CollectiveGroups directory(groups, rank.info.rankId);
    const StepSums sums(trace, activity.steps, StepSums::Clock::Device);
    std::map<std::pair<std::string, bool>, CollectiveFacts> byType;
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.tracks()[t];
        if (!isGroupTrack(track)) continue;
        const TrackExtent& extent = trace.extent({t});
        for (std::uint32_t i = extent.firstSlice; i < extent.firstSlice + extent.sliceCount; ++i) {
            if (cancel.cancelled()) return;
            const TimeRange range{trace.begin({i}), trace.end({i})};
            const bool isPeerToPeer = isPeerToPeerName(trace.name({i}));
            CollectiveFacts& sum = byType[{directory.parallelType(track.name, trace.name({i})), isPeerToPeer}];
            sums.add(sum.all, {i}, range.length().value);
            sums.add(sum.exposed, {i}, range.length().value - lengthWithin(activity.computing, range).value);
        }
    }
    for (auto& [key, sum] : byType) {
        sum.parallelType = key.first;
        sum.isPeerToPeer = key.second;
        facts.collectives.push_back(std::move(sum));
    }
}

}  // namespace altiscope
