#pragma once

#include "core/base/values/ids.h"

#include <cstdint>

namespace altiscope {

/// Bit of a file number that stands for no file: positions in it number what was made of the records of that file, such
/// as frames of call stacks (seal_stacks.h). They are ids like others and lead to no record. Manifests stay far below
/// the million files that are left.
inline constexpr std::uint32_t kComputedFile = 1U << 20;

constexpr bool isComputed(SourcePos pos) { return pos.packed != 0 && (pos.file() & kComputedFile) != 0; }

}  // namespace altiscope
