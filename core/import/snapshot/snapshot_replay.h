#pragma once

#include "core/base/values/cancel.h"
#include "core/import/snapshot/chunked_array.h"
#include "core/import/snapshot/snapshot_content.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace altiscope::reader {

/// An allocation of the history that is not among the blocks of the segments. Absent numbers are kNoCell.
struct PastBlock {
    std::int64_t address = 0, requested = kNoCell, segment = kNoCell;
    std::int64_t allocEvent = kNoCell;  ///< Absent: it was there before the history.
    std::int64_t freeEvent = kNoCell;   ///< Absent: the history does not say what became of it.
    std::uint32_t stack = 0;            ///< Stack of the allocation.
};

/// A part of a history, from its first run on to that of the next one; the totals before it are there once it has been
/// undone.
struct HistoryPiece {
    std::size_t firstRun = 0;
    std::int64_t firstEntry = 0;
    std::int64_t allocated = 0, reserved = 0;
};

/// Past blocks of a device's history, and the totals at its begin.
struct SnapshotHistory {
    ChunkedArray<PastBlock> past;      ///< From the last release to the first.
    std::vector<HistoryPiece> pieces;  ///< In order; they are about as long, for work in parallel.
    std::int64_t entries = 0;          ///< Entries of the list.
    std::uint64_t badEntries = 0;      ///< Entries that cannot be read; they change nothing.
    std::int64_t firstBadEntry = kNoCell, firstBadTime = kNoCell, firstBadAnnotation = kNoCell;
    /// Bytes before the first entry. Where they come out negative the history does not fit to the segments.
    std::int64_t allocated = 0, reserved = 0;
    std::uint64_t workspaces = 0;  ///< Entries of the workspace pool that were put before the history.
    std::uint64_t older = 0;       ///< Blocks, present or past, that were allocated before the history.
    std::uint64_t misfits = 0;     ///< Segments whose blocks do not fill them one after the other.
    /// Entries that do not fit to the segments, or to later entries.
    std::uint64_t disagreeing = 0;
    std::int64_t firstDisagreeing = kNoCell;
    std::uint64_t badTimes = 0, badAnnotations = 0;  ///< Entries whose time or annotation cannot be read.
    /// Entries that were before the one in front of them, as far as both have a time.
    std::uint64_t backwards = 0;
    std::int64_t firstBackwards = kNoCell;
};

/// The pieces and the number of entries of a device's history, before it is gone through.
SnapshotHistory historyOf(const PickleObjects& objects, const SnapshotDevice& device);

/// Goes through a device's history from its end, where the segments give the state, to its beginning, undoing entry
/// after entry. Fills in `allocEvent` of the blocks, and marks workspaces.
/// @param history  Of historyOf().
/// @param onPiece  Called once the totals before a piece are known, for the last piece first.
/// @return False if cancelled. O(entries · log segments).
/// Source: core/import/snapshot/FORMAT.md section 3.
bool replayHistory(const PickleObjects& objects, SnapshotDevice& device, SnapshotHistory& history,
                   const std::function<void(std::size_t)>& onPiece, const CancelToken& cancel);

/// Change by an entry: bytes that are allocated and reserved.
struct SnapshotChange {
    std::int64_t allocated = 0, reserved = 0;
};
inline SnapshotChange changeOf(const SnapshotEntry& entry) {
    if (entry.size == kNoCell || entry.action > numberOf(SnapshotWord::Inactive)) return {};
    switch (static_cast<SnapshotWord>(entry.action)) {
    case SnapshotWord::Alloc: return {entry.size, 0};
    case SnapshotWord::FreeRequested: return {-entry.size, 0};
    case SnapshotWord::SegmentAlloc:
    case SnapshotWord::SegmentMap: return {0, entry.size};
    case SnapshotWord::SegmentFree:
    case SnapshotWord::SegmentUnmap: return {0, -entry.size};
    default: return {};
    }
}

}  // namespace altiscope::reader
