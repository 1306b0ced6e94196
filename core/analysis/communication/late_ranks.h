#pragma once

#include "core/analysis/communication/collective_set.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// How often a rank was the one that the others of its group waited for.
struct LateRank {
    std::uint64_t compared = 0;  ///< Collectives that could be compared with those of other ranks.
    std::uint64_t last = 0;      ///< Of these, in which it clearly came last.
    std::int64_t waited = 0;     ///< ns that all others together waited for it in these.
};

/// Whoever comes last to a collective is in it for the shortest time. Collectives are paired over ranks by step, group,
/// type and order; where ranks recorded different numbers, those with the number that most have are compared. The
/// shortest counts as clearly last if it lies outside by the median of absolute distances (0.6745 * (median - shortest)
/// / MAD > 3.5) and by 5 % of the median; of fewer than four ranks, which say nothing of their spread, by 20 % of the
/// median. Sends and receives are left out.
/// @return As CollectiveSet::ranks. O(items * log). Any thread. Incomplete if cancelled.
/// @note   The median of distances judges small groups, too, where three standard deviations never would.
std::vector<LateRank> lateRanks(const CollectiveSet& set, const CancelToken& cancel);

/// The same collective on other ranks by step, group, type and order; the own one is among them. Ranks with another
/// number of them have none.
struct PairedItem {
    std::size_t row = 0;     ///< Position of its rank in CollectiveSet::ranks.
    std::uint32_t item = 0;  ///< Place in its items.
};
std::vector<PairedItem> pairedItems(const CollectiveSet& set, PairedItem own);

}  // namespace altiscope
