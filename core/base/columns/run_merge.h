#pragma once

#include "core/base/values/cancel.h"

#include <algorithm>
#include <cstddef>
#include <span>
#include <vector>

namespace altiscope {

/// Sorts items that are few ascending runs one after the other, as what was put together from sorted lists is.
/// @param before  A strict order; equal items keep theirs.
/// @return False if there are too many runs; the items are as they were. Also after a cancel, in any order.
/// Cost: O(n) for each doubling of the runs; memory: half of the items at most.
template <class Item, class Before>
bool mergeRuns(std::span<Item> items, const Before& before, const CancelToken& cancel) {
    static constexpr std::size_t kMaxRuns = 64;
    std::vector<std::size_t> ends;  // of the runs
    for (std::size_t i = 1; i < items.size(); ++i) {
        if (!before(items[i], items[i - 1])) continue;
        if (ends.size() + 1 == kMaxRuns) return false;
        ends.push_back(i);
    }
    ends.push_back(items.size());
    while (ends.size() > 1) {
        if (cancel.cancelled()) return false;
        std::vector<std::size_t> merged;
        for (std::size_t i = 0; i < ends.size(); i += 2) {
            const auto at = [&items](std::size_t place) { return items.begin() + static_cast<std::ptrdiff_t>(place); };
            const bool isAlone = i + 1 == ends.size();
            if (!isAlone) std::inplace_merge(at(i == 0 ? 0 : ends[i - 1]), at(ends[i]), at(ends[i + 1]), before);
            merged.push_back(ends[isAlone ? i : i + 1]);
        }
        ends.swap(merged);
    }
    return true;
}

}  // namespace altiscope
