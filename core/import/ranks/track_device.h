#pragma once

#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>

namespace altiscope::reader {

/// The device that the label of a track's process names ("NPU 3"); an old trace says "NPU" without a number, which its
/// process id then has. Source: core/import/trace/FORMAT.md section 4.
std::optional<std::int64_t> deviceOfTrack(const Track& track);

}  // namespace altiscope::reader
