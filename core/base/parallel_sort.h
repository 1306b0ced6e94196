#pragma once

#include "core/base/cancel.h"
#include "core/base/parallel.h"

#include <algorithm>
#include <cstddef>
#include <span>

namespace altiscope {

/// Sorts in place on the workers of the current arena. Polls for each item of large pieces, then between pieces of some
/// ms; after a cancel the items are all there, in any order.
/// @param before  A strict order; the result does not depend on the workers if no two items are equal by it.
/// Cost: O(n log n), no memory; O(n) for items that are sorted already.
template <class Item, class Before>
void parallelSort(std::span<Item> items, Before before, const CancelToken& cancel, int depth = 0) {
    constexpr std::size_t kPiece = 16384;
    constexpr int kDeepest = 48;  // halves that uneven are not worth another cut
    if (cancel.cancelled()) return;
    const auto isOutOfOrder = [&](const Item& later, const Item& earlier) {
        return cancel.cancelled() || before(later, earlier);
    };
    if (depth == 0 && std::is_sorted(items.begin(), items.end(), isOutOfOrder)) return;
    if (cancel.cancelled()) return;
    if (items.size() <= kPiece || depth == kDeepest) return std::sort(items.begin(), items.end(), before);

    const Item& a = items.front();
    const Item& b = items[items.size() / 2];
    const Item& c = items.back();
    const Item pivot = before(a, b) ? (before(b, c)   ? b
                                       : before(a, c) ? c
                                                      : a)
                                    : (before(a, c)   ? a
                                       : before(b, c) ? c
                                                      : b);
    const auto low = std::partition(items.begin(), items.end(),
                                    [&](const Item& item) { return !cancel.cancelled() && before(item, pivot); });
    // Those that are equal to the pivot have their place now; without this step many equal items would never be cut.
    const auto high =
        std::partition(low, items.end(), [&](const Item& item) { return !cancel.cancelled() && !before(pivot, item); });
    const std::span<Item> parts[] = {{items.begin(), low}, {high, items.end()}};
    parallelFor(2, [&](std::size_t p) { parallelSort(parts[p], before, cancel, depth + 1); });
}

}  // namespace altiscope
