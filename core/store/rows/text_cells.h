#pragma once

#include "core/store/rows/row_table.h"

#include <cstddef>
#include <cstdint>
#include <limits>
#include <span>

namespace altiscope {

/// An absent cell among numbers of texts.
inline constexpr std::uint32_t kNoTextCell = std::numeric_limits<std::uint32_t>::max();

/// Cells of one block of a Text column as numbers of the pool, in half the memory that plain integers take. `out` has
/// as many elements as the block has cells.
void unpackTexts(const PackedColumn& column, std::size_t block, std::span<std::uint32_t> out);

}  // namespace altiscope
