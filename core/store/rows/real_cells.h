#pragma once

#include <cstdint>
#include <span>

namespace altiscope {

/// Brings reals to one power of ten, in place, so that a block keeps them as small integers.
///
/// @param cells   Integers, or the bits of doubles, or kNoCell; afterwards all integers, or all bits.
/// @param scales  Of each cell: value = integer / 10^scale, at most RowBlock::kMaxScale; RowBlock::kRawReal for bits.
/// Used up.
/// @return The smallest scale that holds all cells exactly; RowBlock::kRawReal if there is none. Depends on the values
///         alone, not on the form in which they came, if integers have at most fifteen digits.
/// @note O(cells); pure.
std::uint8_t scaleReals(std::span<std::int64_t> cells, std::span<std::uint8_t> scales);

/// 10^scale, as a double that is exact.
double powerOfTen(std::uint8_t scale);

}  // namespace altiscope
