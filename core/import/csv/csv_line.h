#pragma once

#include "core/base/files/file.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <string>

namespace altiscope::reader {

/// The record of a CSV file that begins at a byte, without its line end and a byte order mark; what is longer than
/// `size` is cut.
/// @return Error of ReadOnlyFile.
Result<std::string> csvLineAt(const ReadOnlyFile& file, std::uint64_t byte, std::size_t size);

}  // namespace altiscope::reader
