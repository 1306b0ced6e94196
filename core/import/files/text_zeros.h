#pragma once

#include "core/base/text/diagnostics.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Places of zero bytes in a text, the first of each run: what a disk returns where a file was never written. They hide
/// the line ends that stood there, so records that look whole may be several. Cost: one pass of memchr.
/// @param offset     Of the text in its file.
/// @param afterZero  The byte before the text is zero: a run that begins with the text is the end of one that has its
/// place already.
/// @return Whether the last byte so far is zero; pass it on with the next piece.
bool findZeros(std::string_view text, std::uint64_t offset, bool afterZero, std::vector<std::uint64_t>& places);

/// Reports them: "text.zeros".
void reportZeros(const std::vector<std::uint64_t>& places, const std::string& file, Diagnostics& diagnostics);

}  // namespace altiscope::reader
