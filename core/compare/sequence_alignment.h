#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// Elements of two sequences that are the same: places in both.
struct AlignedPair {
    std::uint32_t first = 0, second = 0;
    bool operator==(const AlignedPair&) const = default;
};

/// Which elements of two sequences correspond.
struct SequenceAlignment {
    std::vector<AlignedPair> same;  ///< Ascending in both sequences.
    /// No alignment keeps more elements. False where more than the allowed edits lie between two parts: these parts
    /// were aligned one after the other then.
    bool isLongest = true;
};

/// Which elements of two sequences are the same when their order is kept: the greedy algorithm of E. W. Myers, An O(ND)
/// difference algorithm and its variations, Algorithmica 1 (1986). After `mostEdits` insertions and deletions the part
/// that reaches furthest is taken for what it is, and the rest begins anew.
/// @pre  Fewer than 2^31 elements each; mostEdits > 0.
/// @return nullopt if cancelled.
/// @note  O((elements of both) * mostEdits) at most, near to the number of elements where few differ; memory
///        O(mostEdits^2). Polls once per edit distance.
std::optional<SequenceAlignment> alignSequences(std::span<const std::uint32_t> first,
                                                std::span<const std::uint32_t> second, std::size_t mostEdits,
                                                const CancelToken& cancel);

}  // namespace altiscope
