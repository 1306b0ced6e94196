#pragma once

#include "core/analysis/communication/group_arrivals.h"
#include "core/analysis/communication/link_matrix.h"
#include "core/base/values/time.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// Which collectives are looked at, and which ranks of them.
struct DelayQuery {
    std::vector<std::int64_t> steps;     ///< Empty: all, and what belongs to no step.
    std::optional<TimeRange> range;      ///< As ranks are drawn: those that overlap it on their first rank.
    std::vector<DurationNs> drawnLater;  ///< By rank; empty: as recorded.
    std::vector<bool> isWanted;          ///< By rank; empty: all.
};

/// How the collectives of one operation and group went.
struct OperationPace {
    std::uint32_t operation = 0;             ///< In GroupArrivals::operations.
    std::uint64_t count = 0;                 ///< To which two ranks or more came.
    std::int64_t skew = 0, largestSkew = 0;  ///< ns from the first arrival to the last: median, and the largest.
    std::uint64_t complete = 0;              ///< Those among them for which all ranks of the group are here.
    std::int64_t transfer = 0;               ///< ns from the last arrival to the end: median of the complete ones.
    std::uint64_t sized = 0;                 ///< The complete ones with a known volume and a transfer.
    std::int64_t bytes = 0;                  ///< Mean of these.
    /// Bytes / transfer over all of these, in bytes per ns (10^9 bytes per second), and that times
    /// CollectiveVolume::busShare. nullopt: no volume is known.
    std::optional<double> algorithmBandwidth, busBandwidth;
};

/// Who comes how late to whom in one group.
struct GroupDelays {
    /// Matrices of more ranks are not made.
    static constexpr std::size_t kMostRanks = 256;

    std::uint32_t group = 0;  ///< In GroupArrivals::groups.
    std::size_t steps = 1;    ///< Over which the sums go; not 0.
    std::vector<RankIndex> ranks;
    /// Row by row: ns per step that the rank of the column was in collectives before that of the row came. Empty: of
    /// too many ranks.
    std::vector<double> late;
    /// Row by row: ns per step that data took from the rank of the row to that of the column above what the median
    /// bandwidth of the group's links needs; NaN: no link is recorded. Empty: no link of the group is.
    std::vector<double> slowLinks;
    std::vector<OperationPace> operations;

    double largest() const;  ///< The largest of `late`; 0: there is none.
};

/// By group; those of which nothing is looked at are left out. O(collectives * members^2).
std::vector<GroupDelays> groupDelays(const GroupArrivals& arrivals, const DelayQuery& query, const CancelToken& cancel);

/// GroupDelays::slowLinks of ranks by their numbers, by the links of their group. O(links).
std::vector<double> slowLinkDelays(const LinkMatrix& links, const std::vector<std::optional<std::int64_t>>& numbers,
                                   std::size_t steps);

/// Rows, columns and cells that stand out in a matrix of delays.
struct DelayPattern {
    std::vector<std::uint32_t> rows;     ///< Nearly all of a row: the rank of the row is late, or sends slowly.
    std::vector<std::uint32_t> columns;  ///< Nearly all of a column: its rank comes early, or receives slowly.
    std::vector<std::pair<std::uint32_t, std::uint32_t>> cells;  ///< The others: a link between two ranks.
    /// Between two ranks nothing tells a rank from a link.
    bool isPair = false;

    bool empty() const { return rows.empty() && columns.empty() && cells.empty(); }
};

/// A cell stands out if it lies 3.5 robust deviations above the median of all, and reaches `minimum`; a row or a
/// column if three quarters of its cells do, two at least. Those of rows that stand out already do not count.
/// Source: core/analysis/FORMULAS.md section B.
/// @param values  n x n, row by row; NaN: none. The diagonal does not count.
/// O(n^2 * log).
DelayPattern delayPattern(const std::vector<double>& values, std::size_t n, double minimum);

}  // namespace altiscope
