#pragma once

#include "core/import/raw_files/raw_blocks.h"

#include <cstdint>
#include <functional>
#include <string_view>

namespace altiscope::reader {

/// Reads the lines of a series of text. A line over the border of two slices is put together.
/// @param code  Reported (lost) for a line that is none, for one beyond 64 KB, and for the rest of one where a
/// slice is missing.
/// @param take  A line without its end, and whether it is the first of its slice. @return False: it is none.
void eachRawLine(const RawFileSeries& series, const char* code, RawContext& context,
                 const std::function<bool(std::string_view line, bool isFirst)>& take);

}  // namespace altiscope::reader
