#include "core/session/held_ranks.h"

#include "core/analysis/interval_set.h"

#include <span>

namespace altiscope {

std::vector<HeldRank> heldRanks(const CaptureStore& capture, const ContextFilter& context, std::optional<TimeRange> marked) {
    std::vector<HeldRank> held;
    for (std::uint32_t rank = 0; rank < capture.ranks.size(); ++rank) {
        if (!context.holds(capture.ranks[rank].info)) continue;
        auto times = timesOf(context, capture.ranks[rank]);
        if (marked) times = times ? intersectionOf(*times, std::span(&*marked, 1)) : std::vector{*marked};
        if (times && times->empty()) continue;
        held.push_back({rank, std::move(times)});
    }
    return held;
}

}  // namespace altiscope
