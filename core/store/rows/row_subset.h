#pragma once

#include "core/store/rows/row_table.h"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace altiscope {

/// Some rows of a table, in the given order, with the columns of its kind and without further ones. Texts are ids of
/// the same pool.
/// @param replaced  Columns with other values (kNoCell: absent), one per row that is taken.
/// @note  Any thread. O(rows taken · columns).
RowTable rowSubset(const RowTable& table, std::span<const std::uint32_t> rows,
                   const std::map<std::size_t, std::vector<std::int64_t>>& replaced = {});

}  // namespace altiscope
