#pragma once

#include "core/base/values/result.h"
#include "core/import/snapshot/pickle_objects.h"
#include "core/store/rows/row_table.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope::reader {

/// An entry of a device's history. Absent numbers are kNoCell.
struct SnapshotEntry {
    std::uint32_t action = kNoText;  ///< Number of its text, see SnapshotWord.
    std::uint32_t stack = 0;         ///< Number of StackTable.
    std::int64_t address = kNoCell, size = kNoCell, stream = kNoCell;
    std::int64_t time = kNoCell;                        ///< ns on the snapshot's own clock.
    std::uint32_t annotation = kNoText;                 ///< Number of its text.
    std::uint32_t pool = kNoText;                       ///< The same, of `pool_id`.
    std::int64_t deviceFree = kNoCell;                  ///< Bytes that the driver has left; of `oom`.
    bool hasBadTime = false, hasBadAnnotation = false;  ///< There is one that cannot be read; it counts as absent.

    static constexpr std::uint32_t kNoText = ~std::uint32_t{0};
    bool is(SnapshotWord word) const { return action == numberOf(word); }
};

/// A part of a segment, as the file shows it.
struct SnapshotBlock {
    std::int64_t address = 0, size = 0;
    std::int64_t requested = kNoCell;
    std::int64_t segment = 0;  ///< Address of its segment.
    std::uint32_t state = 0;   ///< Number of its text.
    std::uint32_t stack = 0;
    std::int64_t allocEvent = kNoCell;
    bool isWorkspace = false;  ///< One block that is used as a whole, whatever its state says.

    bool is(SnapshotWord word) const { return state == numberOf(word); }
    bool isAllocated() const { return isWorkspace || is(SnapshotWord::ActiveAllocated); }
    bool isPending() const { return is(SnapshotWord::ActivePendingFree) || is(SnapshotWord::ActiveAwaitingFree); }
    /// Bytes that were requested; of old files, which do not say, its size.
    std::int64_t bytes() const { return isWorkspace || requested == kNoCell ? size : requested; }
};

/// A segment that the allocator had reserved when the snapshot was made.
struct SnapshotSegment {
    std::int64_t address = 0, size = 0, stream = kNoCell;
    std::uint32_t pool = SnapshotEntry::kNoText;  ///< Number of the text of `segment_pool_id`.
    std::int64_t isExpandable = kNoCell;          ///< 1 or 0; kNoCell: the file does not say.
    std::size_t firstBlock = 0, blocks = 0;       ///< In SnapshotDevice::blocks.
};

/// Memory of one device.
struct SnapshotDevice {
    std::int64_t id = 0;
    std::vector<SnapshotSegment> segments;
    std::vector<SnapshotBlock> blocks;
    std::vector<std::uint32_t> runs;  ///< Runs of the list of its entries.
};

/// A range that the program named while it ran. Absent numbers are kNoCell.
struct NamedRange {
    std::int64_t device = kNoCell;
    std::uint32_t name = 0;                       ///< Number of its text.
    std::int64_t begin = kNoCell, end = kNoCell;  ///< ns on the snapshot's own clock; one of them is there.
};

/// A snapshot by devices, ascending; those without anything are not there.
struct SnapshotContent {
    std::vector<SnapshotDevice> devices;
    std::vector<NamedRange> ranges;                             ///< In the order of the file.
    std::uint64_t badTraces = 0, badBlocks = 0, badRanges = 0;  ///< Not what they should be; they are left out.
    std::int64_t firstBadTrace = kNoCell;                       ///< Its device; absent: the list of all is none.
};

/// Sorts what a pickle has made. @return Error "snapshot.not_snapshot", "snapshot.device", "snapshot.too_large".
/// @param mostItems  Entries, and blocks, that a file of this size can have.
/// Source: core/import/snapshot/FORMAT.md section 1.
Result<SnapshotContent> snapshotContent(const PickleObjects& objects, const PickleValue& root, std::uint64_t mostItems,
                                        const CancelToken& cancel);

/// An entry; false if the item is none, or has no action or a size that cannot be. Then what can be read is there, and
/// the size is absent.
bool entryOf(const PickleObjects& objects, std::uint32_t item, SnapshotEntry& entry);

}  // namespace altiscope::reader
