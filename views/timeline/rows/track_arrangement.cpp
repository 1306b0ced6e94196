#include "views/timeline/rows/track_arrangement.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

namespace altiscope {

namespace {

using RowKeys = std::unordered_set<RowKey, RowKeyHash>;

}  // namespace

bool isPinned(const TrackArrangement& arrangement, const RowKey& row) {
    return std::find(arrangement.pinned.begin(), arrangement.pinned.end(), row) != arrangement.pinned.end();
}

TrackArrangement withPinned(TrackArrangement arrangement, std::span<const RowKey> rows) {
    RowKeys known(arrangement.pinned.begin(), arrangement.pinned.end());
    for (const RowKey& row : rows) {
        if (known.insert(row).second) arrangement.pinned.push_back(row);
    }
    return arrangement;
}

TrackArrangement withoutPinned(TrackArrangement arrangement, std::span<const RowKey> rows) {
    const RowKeys gone(rows.begin(), rows.end());
    std::erase_if(arrangement.pinned, [&gone](const RowKey& row) { return gone.contains(row); });
    return arrangement;
}

std::vector<RowKey> withMoved(std::vector<RowKey> rows, std::size_t from, std::size_t to) {
    if (from >= rows.size() || to >= rows.size()) return rows;
    const auto at = [&rows](std::size_t i) { return rows.begin() + static_cast<std::ptrdiff_t>(i); };
    if (from < to) std::rotate(at(from), at(from + 1), at(to + 1));
    else std::rotate(at(to), at(from), at(from + 1));
    return rows;
}

std::vector<RowKey> orderOf(const std::vector<RowKey>& before, const std::vector<RowKey>& shown) {
    const RowKeys isShown(shown.begin(), shown.end());
    std::vector<RowKey> order;
    auto next = shown.begin();
    for (const RowKey& row : before) order.push_back(isShown.contains(row) && next != shown.end() ? *next++ : row);
    order.insert(order.end(), next, shown.end());
    return order;
}

TrackArrangement withMerged(TrackArrangement arrangement, std::span<const RowKey> rows) {
    const RowKeys taken(rows.begin(), rows.end());
    for (auto& group : arrangement.merged)
        std::erase_if(group, [&taken](const RowKey& row) { return taken.contains(row); });
    std::erase_if(arrangement.merged, [](const std::vector<RowKey>& group) { return group.size() < 2; });
    arrangement.merged.emplace_back(rows.begin(), rows.end());
    return arrangement;
}

TrackArrangement withoutMerged(TrackArrangement arrangement, const RowKey& row) {
    std::erase_if(arrangement.merged, [&row](const std::vector<RowKey>& group) {
        return std::find(group.begin(), group.end(), row) != group.end();
    });
    return arrangement;
}

}  // namespace altiscope
