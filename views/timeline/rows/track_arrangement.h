#pragma once

#include "views/timeline/rows/row_key.h"

#include <cstddef>
#include <span>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// Height of a row as the user has made it, in hundredths of a lane; 0: automatic.
struct RowHeights {
    int open = 0, shut = 0;  ///< While it is expanded, or has nothing to expand; while it is collapsed.
    bool operator==(const RowHeights&) const = default;
};

/// How the user has arranged the rows. A row that is gone stays named here: it may come back.
struct TrackArrangement {
    std::vector<RowKey> pinned;  ///< Processes, threads and counters that stand above all others, in this order.
    /// Children of a row, in the order that they are to have among each other; others, as those that a filter hid when
    /// rows were moved, keep their places. Ranks stand below their host, whether hosts are shown or not.
    std::unordered_map<RowKey, std::vector<RowKey>, RowKeyHash> order;
    std::unordered_map<RowKey, RowHeights, RowKeyHash> heights;
    /// Threads of one process that are one row, by the first one's key; disjoint.
    std::vector<std::vector<RowKey>> merged;

    bool operator==(const TrackArrangement&) const = default;
    bool empty() const { return pinned.empty() && order.empty() && heights.empty() && merged.empty(); }
};

// Pure functions; O(what is arranged).

bool isPinned(const TrackArrangement& arrangement, const RowKey& row);
/// Rows that are pinned already keep their place.
TrackArrangement withPinned(TrackArrangement arrangement, std::span<const RowKey> rows);
TrackArrangement withoutPinned(TrackArrangement arrangement, std::span<const RowKey> rows);
/// `rows` is what stands there now, in order; the one at `from` comes to stand where `to` is, those between move on by
/// one.
std::vector<RowKey> withMoved(std::vector<RowKey> rows, std::size_t from, std::size_t to);
/// Siblings that stand so from now on. Those that `before` names and `shown` does not, as rows that a filter hides,
/// keep their places in it.
std::vector<RowKey> orderOf(const std::vector<RowKey>& before, const std::vector<RowKey>& shown);
/// @pre more than one row, all threads of one process. Groups that they were in lose them.
TrackArrangement withMerged(TrackArrangement arrangement, std::span<const RowKey> rows);
/// The group with this row is taken apart.
TrackArrangement withoutMerged(TrackArrangement arrangement, const RowKey& row);

}  // namespace altiscope
