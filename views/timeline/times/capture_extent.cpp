#include "views/timeline/times/capture_extent.h"

#include "core/analysis/slices/slice_details.h"
#include "views/common/plots/time_axis.h"
#include "views/timeline/times/rank_shifts.h"

#include <algorithm>

namespace altiscope {

namespace {

bool hasEvents(const TraceStore& trace) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const TrackExtent& extent = trace.extent({t});
        if (extent.sliceCount != 0 || extent.seriesCount != 0 || extent.instantCount != 0) return true;
    }
    return false;
}

}  // namespace

TimeRange united(TimeRange a, TimeRange b) { return {std::min(a.begin, b.begin), std::max(a.end, b.end)}; }

CaptureExtent extentOf(const CaptureStore& store, std::optional<TimeNs> origin, const RankShifts* shifts) {
    CaptureExtent extent;
    bool isPart = false;
    for (RankIndex r; r.value < store.ranks.size(); ++r.value) {
        const RankEntry& rank = store.ranks[r.value];
        if (rank.trace == nullptr || !hasEvents(*rank.trace)) continue;
        const DurationNs by = shifts == nullptr ? DurationNs{} : shifts->of(r);
        const TimeRange run = shifted(rank.trace->homeRange(), by), all = shifted(rank.trace->range(), by);
        extent.run = extent.run ? united(*extent.run, run) : run;
        extent.all = extent.all ? united(*extent.all, all) : all;
        if (const auto moved = shifts == nullptr ? nullptr : shifts->movedTracks(r)) {
            for (const auto& [track, later] : *moved) {
                extent.run = united(*extent.run, shifted(run, {later}));
                extent.all = united(*extent.all, shifted(all, {later}));
            }
        }
        isPart = isPart || rank.window;
    }
    extent.axis = extent.run;
    if (isPart && origin && extent.axis) extent.axis->begin = std::min(extent.axis->begin, *origin);
    return extent;
}

}  // namespace altiscope
