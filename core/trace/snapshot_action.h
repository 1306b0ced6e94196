#pragma once

#include <array>
#include <cstdint>
#include <string_view>

namespace altiscope {

/// Action of an entry in the history of a memory snapshot, as far as it changes anything.
enum class SnapshotAction : std::uint8_t {
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    OutOfMemory,
    Other
};

/// How the file writes them, by number; Other has no word. Source: core/import/snapshot/FORMAT.md section 1.
inline constexpr std::array<std::string_view, 8> kSnapshotActions{
    "alloc",        "free_requested", "free_completed", "segment_alloc",
    "segment_free", "segment_map",    "segment_unmap",  "oom"};

}  // namespace altiscope
