#pragma once

#include "core/base/threads/parallel.h"
#include "core/base/values/cancel.h"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

// By pointers everywhere: std::sort for another kind of iterator would be compiled once more for each kind of item.

/// Sorts in place on the workers of the current arena. Polls for each item of large pieces, then between pieces of some
/// ms; after a cancel the items are all there, in any order.
/// @param before  A strict order; the result does not depend on the workers if no two items are equal by it.
/// Cost: O(n log n); O(n) for items that are sorted already, and about that for few that are out of order. Memory: at
/// most an eighth of the items, see fixNearlySorted.
template <class Item, class Before>
void parallelSort(std::span<Item> items, Before before, const CancelToken& cancel, int depth = 0);

/// Sorts items of which only some are out of order: these are taken out, sorted by themselves and put back.
/// @return False if they are too many; the items are all there, in another order. Also after a cancel.
/// Cost: O(n) and what sorting those takes; memory: those, at most an eighth of the items.
template <class Item, class Before>
bool fixNearlySorted(std::span<Item> items, const Before& before, const CancelToken& cancel) {
    constexpr std::size_t kShare = 8, kPollEvery = 4096;
    // Where so many follow each other, one before them is out of order rather than they.
    constexpr std::size_t kMaxInRow = 8;
    const std::size_t most = items.size() / kShare;
    std::vector<Item> out;
    std::size_t kept = 0, inRow = 0;
    for (std::size_t next = 0; next < items.size(); ++next) {
        const bool isOver = out.size() > most || (next % kPollEvery == 0 && cancel.cancelled());
        if (isOver) {
            // As many places are free as were taken out.
            std::move(out.begin(), out.end(), items.begin() + static_cast<std::ptrdiff_t>(kept));
            return false;
        }
        if (kept == 0 || !before(items[next], items[kept - 1])) {
            if (kept != next) items[kept] = std::move(items[next]);
            ++kept;
            inRow = 0;
            continue;
        }
        if (inRow == 0 && kept >= 2 && !before(items[next], items[kept - 2])) {
            // Without the one before, this one is in order.
            out.push_back(std::move(items[kept - 1]));
            items[kept - 1] = std::move(items[next]);
            continue;
        }
        out.push_back(std::move(items[next]));
        if (++inRow < kMaxInRow) continue;
        const auto first = out.end() - static_cast<std::ptrdiff_t>(inRow);
        const Item min = *std::min_element(first, out.end(), before);
        std::vector<Item> row(std::make_move_iterator(first), std::make_move_iterator(out.end()));
        out.erase(first, out.end());
        while (kept > 0 && before(min, items[kept - 1])) out.push_back(std::move(items[--kept]));
        std::sort(row.data(), row.data() + row.size(), before);
        for (Item& one : row) items[kept++] = std::move(one);
        inRow = 0;
    }
    parallelSort(std::span(out), before, cancel, 1);
    for (std::size_t to = items.size(); !out.empty();) {
        if (kept > 0 && before(out.back(), items[kept - 1])) {
            items[--to] = std::move(items[--kept]);
        } else {
            items[--to] = std::move(out.back());
            out.pop_back();
        }
    }
    return true;
}

template <class Item, class Before>
void parallelSort(std::span<Item> items, Before before, const CancelToken& cancel, int depth) {
    constexpr std::size_t kPiece = 16384;
    constexpr int kDeepest = 48;  // halves that uneven are not worth another cut
    if (cancel.cancelled()) return;
    const auto isOutOfOrder = [&](const Item& later, const Item& earlier) {
        return cancel.cancelled() || before(later, earlier);
    };
    Item* const begin = items.data();
    Item* const end = begin + items.size();
    if (depth == 0 && std::is_sorted(begin, end, isOutOfOrder)) return;
    if (depth == 0 && fixNearlySorted(items, before, cancel)) return;
    if (cancel.cancelled()) return;
    if (items.size() <= kPiece || depth == kDeepest) return std::sort(begin, end, before);

    const Item& a = items.front();
    const Item& b = items[items.size() / 2];
    const Item& c = items.back();
    const Item pivot = before(a, b) ? (before(b, c)   ? b
                                       : before(a, c) ? c
                                                      : a)
                                    : (before(a, c)   ? a
                                       : before(b, c) ? c
                                                      : b);
    Item* const low =
        std::partition(begin, end, [&](const Item& item) { return !cancel.cancelled() && before(item, pivot); });
    // Those that are equal to the pivot have their place now; without this step many equal items would never be cut.
    Item* const high =
        std::partition(low, end, [&](const Item& item) { return !cancel.cancelled() && !before(pivot, item); });
    const std::span<Item> parts[] = {{begin, low}, {high, end}};
    parallelFor(2, [&](std::size_t p) { parallelSort(parts[p], before, cancel, depth + 1); });
}

}  // namespace altiscope
