#pragma once

#include "core/base/files/file.h"
#include "core/base/values/result.h"

#include <cstdint>

namespace altiscope {

/// Files up to this size are taken whole.
inline constexpr std::uint64_t kWholeSampleBytes = 128 << 10;

/// Hash (XXH3, 64 bits) of the content of a file: its first and last 64 KiB and 16 blocks of 4 KiB between; all of one
/// up to kWholeSampleBytes. Name, size and times have no part in it.
/// @return Error as ReadOnlyFile::read.
Result<std::uint64_t> sampleContent(const ReadOnlyFile& file);

}  // namespace altiscope
