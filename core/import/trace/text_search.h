#pragma once

#include "core/base/files/file.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Byte offsets of a JSON file at which `text` stands, byte for byte, or with A-Z and a-z alike; ascending. One that
/// follows another without a '{' between them may be left out: it lies in the same record.
/// @param text  Not empty.
/// @note   Reads the whole file on all workers of the current arena, some GB/s; two megabytes per worker.
Result<std::vector<std::uint64_t>> findText(const ReadOnlyFile& file, std::string_view text, bool ignoreCase,
                                            const CancelToken& cancel);

}  // namespace altiscope::reader
