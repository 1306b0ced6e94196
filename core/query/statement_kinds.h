#pragma once

#include "core/store/rows/row_kinds.h"

#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// The kinds of summary rows that a statement reads, if it reads nothing else of a capture and so has the same result
/// without timelines. nullopt if it needs more, or is no statement that could run.
/// @note Some ms; any thread.
std::optional<std::vector<RowKind>> summaryKindsRead(std::string_view sql);

}  // namespace altiscope
