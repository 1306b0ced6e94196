#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/ids.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// Fields of a slice that decide how it nests.
struct SliceExtent {
    std::int64_t begin = 0;     ///< ns
    std::int64_t duration = 0;  ///< ns, >= 0
    SourcePos pos;
};

/// A slice on its way into the columns of a store.
struct SliceItem : SliceExtent {
    StringId name;
    StringId category;
};

/// Begin ascending, then duration descending, then position: an outer slice comes before what it contains.
inline bool outerFirst(const SliceExtent& a, const SliceExtent& b) {
    if (a.begin != b.begin) return a.begin < b.begin;
    if (a.duration != b.duration) return a.duration > b.duration;
    return a.pos < b.pos;
}

/// Result of nesting one track's slices; entry i belongs to slice i of the input.
struct Nesting {
    static constexpr std::uint32_t kNoParent = 0xffffffffU;

    std::vector<std::uint32_t> depth;
    std::vector<std::uint32_t> parent;        ///< Input index, kNoParent if no slice wholly contains it.
    std::vector<std::int64_t> selfDuration;   ///< ns: duration minus the union of the direct children.
    std::vector<std::uint32_t> countOfDepth;  ///< Slices per depth; none is 0.
};

/// Depth, parent and self time of the slices of one track.
///
/// @param slices  Sorted by outerFirst.
/// @param cancel  Polled every 64 Ki slices; the result is worthless when it was requested.
/// Rules: the parent is the innermost slice that wholly contains a slice: the one that begins last, of several the last
/// in order. Equal slices contain each other in order. Both ends count, so a slice of length 0 lies in one that ends
/// where it is. The depth is the first row below the parent's that is free at its begin; so no two slices of one depth
/// overlap, and partial overlaps go to further rows instead of being dropped.
/// @note O(n log n) at worst, O(n) for slices that nest.
Nesting nestSlices(std::span<const SliceItem> slices, const CancelToken& cancel);
Nesting nestSlices(std::span<const SliceExtent> slices, const CancelToken& cancel);

}  // namespace altiscope
