#pragma once

#include "core/base/columns/string_pool.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>

namespace altiscope {

/// Facts for a dense picture about neighbouring slices of a run, in one place: to look it up in the columns would
/// be four reads of far memory for each pixel. Blocks of the lowest level hold kBlockSlices slices, those of the next
/// kBlockFan of these, and so on; the last block of a level may hold fewer. The levels of a run stand one after the
/// other, lowest first, and end with the first that has at most kBlockFan blocks. Runs of at most kBlockSlices slices
/// have none.
struct SliceBlock {
    std::int64_t begin = 0, end = 0;  ///< Begin of the first and end of the last slice, ns.
    std::int64_t duration = 0;        ///< Duration of the longest slice, ns.
    std::uint32_t longest = 0;        ///< SliceIndex; the first of several.
    StringId name;                    ///< Name of the longest.
};

inline constexpr std::uint32_t kBlockSlices = 16, kBlockFanBits = 2, kBlockFan = 1U << kBlockFanBits;

/// Number of blocks of the lowest level; 0 if there is none.
constexpr std::uint32_t lowestBlocks(std::uint32_t slices) {
    return slices > kBlockSlices ? slices / kBlockSlices + (slices % kBlockSlices == 0 ? 0U : 1U) : 0;
}

/// Number of blocks of the level above one with `blocks`; 0 if there is none.
constexpr std::uint32_t blocksAbove(std::uint32_t blocks) {
    return blocks > kBlockFan ? blocks / kBlockFan + (blocks % kBlockFan == 0 ? 0U : 1U) : 0;
}

/// Blocks of all levels of a run.
constexpr std::uint64_t allBlocks(std::uint32_t slices) {
    std::uint64_t all = 0;
    for (std::uint32_t level = lowestBlocks(slices); level > 0; level = blocksAbove(level)) all += level;
    return all;
}

/// Two neighbours as one.
inline void join(SliceBlock& first, const SliceBlock& next) {
    first.end = next.end;
    if (next.duration <= first.duration) return;
    first.duration = next.duration;
    first.longest = next.longest;
    first.name = next.name;
}

/// Fills allBlocks(slices) blocks; `slice(i)` gives slice i of the run as a block of its own. O(slices).
template <class Slice>
void buildBlocks(std::uint32_t slices, SliceBlock* blocks, Slice slice) {
    const auto fill = [](std::uint32_t count, std::uint32_t below, std::uint32_t fan, SliceBlock* to, auto at) {
        for (std::uint32_t block = 0; block < count; ++block) {
            const std::uint32_t first = block * fan, after = first + std::min(fan, below - first);
            to[block] = at(first);
            for (std::uint32_t i = first + 1; i < after; ++i) join(to[block], at(i));
        }
    };
    std::uint32_t count = lowestBlocks(slices);
    fill(count, slices, kBlockSlices, blocks, slice);
    for (std::uint32_t above = blocksAbove(count); above > 0; above = blocksAbove(count)) {
        const SliceBlock* below = blocks;
        blocks += count;
        fill(above, count, kBlockFan, blocks, [below](std::uint32_t i) { return below[i]; });
        count = above;
    }
}

}  // namespace altiscope
