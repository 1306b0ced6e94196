#include "core/tables/scope/rank_windows.h"

#include "core/base/columns/interval_set.h"

#include <span>

namespace altiscope {

TimeRange MarkedTime::on(RankIndex rank) const {
    const DurationNs by = shifts != nullptr && rank.value < shifts->size() ? (*shifts)[rank.value] : DurationNs{};
    return {range.begin - by, range.end - by};
}

std::vector<RankWindow> rankWindows(const CaptureStore& capture, const ContextFilter& context,
                                    const std::optional<MarkedTime>& marked) {
    std::vector<RankWindow> selected;
    for (RankIndex rank; rank.value < capture.ranks.size(); ++rank.value) {
        if (!context.holds(capture.ranks[rank.value].info)) continue;
        auto times = timesOf(context.onClockOf(rank), capture.ranks[rank.value]);
        if (marked) {
            const TimeRange own = marked->on(rank);
            times = times ? intersectionOf(*times, std::span(&own, 1)) : std::vector{own};
        }
        if (times && times->empty()) continue;
        selected.push_back({rank, std::move(times)});
    }
    return selected;
}

std::vector<RankWindow> rankWindows(const Scope& scope) {
    std::vector<RankWindow> ranks = rankWindows(*scope.store, scope.context, scope.marked);
    if (scope.rank) std::erase_if(ranks, [&](const RankWindow& window) { return window.rank != *scope.rank; });
    return ranks;
}

}  // namespace altiscope
