#pragma once

#include "core/trace/snapshot_action.h"

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace altiscope::reader {

/// Texts that a snapshot is made of. Their order is that of their numbers in PickleTexts: first the keys of
/// dictionaries whose values are kept, then actions, then states. Source: core/import/snapshot/FORMAT.md section 1.
enum class SnapshotWord : std::uint8_t {
    Segments,
    DeviceTraces,
    Device,
    Address,
    TotalSize,
    RequestedSize,
    Stream,
    Frames,
    Blocks,
    Size,
    State,
    Filename,
    Line,
    Name,
    Action,
    Addr,
    TimeUs,
    UserMetadata,
    History,
    RealSize,
    DeviceFree,
    SegmentPoolId,
    PoolId,
    IsExpandable,
    ExternalAnnotations,
    Stage,
    // Actions
    Alloc,
    FreeRequested,
    FreeCompleted,
    SegmentAlloc,
    SegmentFree,
    SegmentMap,
    SegmentUnmap,
    Oom,
    Snapshot,
    WorkspaceSnapshot,
    // States
    ActiveAllocated,
    ActivePendingFree,
    ActiveAwaitingFree,
    Inactive,
};

inline constexpr std::string_view kSnapshotWords[] = {"segments",
                                                      "device_traces",
                                                      "device",
                                                      "address",
                                                      "total_size",
                                                      "requested_size",
                                                      "stream",
                                                      "frames",
                                                      "blocks",
                                                      "size",
                                                      "state",
                                                      "filename",
                                                      "line",
                                                      "name",
                                                      "action",
                                                      "addr",
                                                      "time_us",
                                                      "user_metadata",
                                                      "history",
                                                      "real_size",
                                                      "device_free",
                                                      "segment_pool_id",
                                                      "pool_id",
                                                      "is_expandable",
                                                      "external_annotations",
                                                      "stage",
                                                      kSnapshotActions[0],
                                                      kSnapshotActions[1],
                                                      kSnapshotActions[2],
                                                      kSnapshotActions[3],
                                                      kSnapshotActions[4],
                                                      kSnapshotActions[5],
                                                      kSnapshotActions[6],
                                                      kSnapshotActions[7],
                                                      "snapshot",
                                                      "workspace_snapshot",
                                                      "active_allocated",
                                                      "active_pending_free",
                                                      "active_awaiting_free",
                                                      "inactive"};

/// Keys whose values are kept are the numbers below it.
inline constexpr std::size_t kSnapshotKeys = static_cast<std::size_t>(SnapshotWord::Stage) + 1;

constexpr std::uint32_t numberOf(SnapshotWord word) { return static_cast<std::uint32_t>(word); }
static_assert(numberOf(SnapshotWord::Oom) - numberOf(SnapshotWord::Alloc) + 1 == kSnapshotActions.size() &&
              kSnapshotWords[numberOf(SnapshotWord::Oom)] == "oom");

}  // namespace altiscope::reader
