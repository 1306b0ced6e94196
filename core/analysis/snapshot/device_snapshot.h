#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/store/rows/row_table.h"
#include "core/trace/snapshot_action.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope {

/// Number of an entry in a device's history. A state is named by the entry that it follows; kBeforeHistory is the one
/// before the first entry.
using EventNumber = std::int32_t;
inline constexpr EventNumber kBeforeHistory = -1;

/// Number of a block in DeviceSnapshot::blocks.
using BlockNumber = std::uint32_t;
inline constexpr BlockNumber kNoBlock = 0xFFFFFFFF;

/// Half-open range of entries.
struct EventRange {
    EventNumber begin = 0, end = 0;
    bool operator==(const EventRange&) const = default;
};

/// One allocation. It is there in the states from `begin` up to, but not with, `end`.
struct BlockLife {
    std::int64_t address = 0;
    std::int64_t bytes = 0;       ///< Requested; its whole size where the file does not say (old files, workspaces).
    std::int64_t size = kNoCell;  ///< With rounding; kNoCell of past blocks, whose size is not recorded.
    std::int64_t stream = kNoCell;
    std::int64_t segment = kNoCell;      ///< Address of its segment as the reader says; kNoCell: not recorded.
    EventNumber begin = kBeforeHistory;  ///< kBeforeHistory: allocated before the history.
    EventNumber end = 0;                 ///< DeviceSnapshot::events of those that are there at the end.
    EventNumber freeRequested = 0;       ///< From here on it waits for its streams; never after `end`.
    std::uint32_t row = 0;               ///< Of the table snapshot_block.
    std::uint32_t stack = 0;             ///< Number in DeviceSnapshot::stacks; 0: none.
    std::uint32_t annotation = 0;        ///< Number in DeviceSnapshot::annotations; 0: none.
    bool isThereAt(EventNumber at) const { return begin <= at && at < end; }
};

/// One entry of a history. Absent numbers are kNoCell.
struct SnapshotEntryView {
    SnapshotAction action = SnapshotAction::Other;
    std::int64_t address = kNoCell, size = kNoCell, stream = kNoCell;
    std::int64_t allocated = 0, reserved = 0;  ///< After it, in requested bytes; reserved bytes.
    // Of failed requests only.
    std::int64_t deviceFree = kNoCell;  ///< Bytes that the driver had left.
    std::uint32_t pool = 0;             ///< Text (StringId) of the pool; 0: not recorded.
};

/// Memory of the host, whose rows name no device, as a device.
inline constexpr std::int64_t kSnapshotHost = -1;

/// Where a device's rows lie in the two tables.
struct SnapshotRows {
    std::int64_t device = 0;  ///< kSnapshotHost of the host's.
    std::size_t firstEvent = 0, events = 0, firstBlock = 0, blocks = 0;
};
/// Devices of a snapshot, ascending; none if there is no snapshot. O(rows / RowBlock::kBlock).
std::vector<SnapshotRows> snapshotDevices(const RowTables& rows);

/// A whole segment as it is at the end.
struct SnapshotSegmentEnd {
    std::int64_t address = 0, size = 0;
    std::int64_t stream = kNoCell;
    std::uint32_t pool = 0;     ///< Text (StringId) of its pool, "(0, 0)"; 0: not recorded.
    bool isExpandable = false;  ///< As the file says.
};

/// What an entry says of the segment that it makes, or of the part that it maps.
struct SnapshotSegmentMark {
    std::int64_t address = 0;
    std::int64_t stream = kNoCell;
    std::uint32_t pool = 0;  ///< As SnapshotSegmentEnd.
    bool isMapped = false;   ///< By segment_map or segment_unmap: a part of a segment that can grow.
};

/// A range that the program named with record_function; on the snapshot's own clock.
struct SnapshotRange {
    TimeRange time;          ///< From the min or up to the max time where one of them was not recorded.
    bool hasBegin = false;   ///< False: it began before the recording.
    std::uint32_t name = 0;  ///< Text (StringId).
};

/// The memory of one device of a snapshot, ready for queries. Constant; any thread. Costs 8 bytes per entry and about
/// 90 per block beside the store's rows, which it keeps.
/// Source: core/import/snapshot/FORMAT.md section 3.
struct DeviceSnapshot {
    std::shared_ptr<const RowTables> rows;
    SnapshotRows where;
    EventNumber events = 0;

    std::vector<BlockLife> blocks;       ///< In the order of allocation; older ones first, by address.
    std::vector<BlockNumber> byAddress;  ///< By address, then begin.
    std::vector<std::uint32_t> stacks;   ///< Texts of call stacks (StringId) by number; the first is the empty text.
    /// What the program set as user_metadata, of blocks, by number (StringId); the first is none. A block has that of
    /// its allocation, else the first that an entry gave it later.
    std::vector<std::uint32_t> annotations;
    std::vector<std::int64_t> active;          ///< Bytes of the blocks that are there, by state; first kBeforeHistory.
    std::vector<EventNumber> segmentEvents;    ///< Entries that change segments, ascending.
    std::vector<SnapshotSegmentEnd> segments;  ///< At the end, by address.
    std::vector<SnapshotSegmentMark> marks;    ///< By address; of one address the last.
    std::int64_t allocatedBefore = 0, reservedBefore = 0;  ///< Totals before the history.
    std::int64_t padding = 0;  ///< Bytes that this allocator adds to a request before it rounds, see roundedSize().
    std::uint64_t older = 0;   ///< Blocks from before the history.
    std::vector<SnapshotRange> ranges;  ///< Of the program, whatever device was the current one; by begin, outer first.
    std::optional<TimeNs> firstTime;    ///< Of the first entry that has one; nullopt: none has.
    bool hasAnnotations = false;        ///< Some entry has one.
    std::uint64_t lostEnds = 0;         ///< Past blocks of which the history does not say when they were released.

    EventNumber last() const { return events - 1; }
    SnapshotEntryView entry(EventNumber number) const;
    std::int64_t activeAt(EventNumber at) const { return active[static_cast<std::size_t>(at + 1)]; }
    std::int64_t allocatedAt(EventNumber at) const;
    std::int64_t reservedAt(EventNumber at) const;
    std::string_view stackText(std::uint32_t stack) const { return rows->text(StringId{stacks[stack]}); }
    std::string_view actionText(EventNumber number) const;
    /// Text of the entry's own stack; empty: none.
    std::string_view entryStack(EventNumber number) const;
    /// What the program set as user_metadata for the entry; empty: nothing.
    std::string_view entryAnnotation(EventNumber number) const;
    std::string_view annotationText(std::uint32_t annotation) const {
        return annotation == 0 ? std::string_view() : rows->text(StringId{annotations[annotation]});
    }
    /// Names of the ranges that an entry lies in, the outermost first, at most `most`. Empty without times. O(ranges).
    std::vector<std::string_view> rangesAt(EventNumber number, std::size_t most) const;
    /// When an entry was, on the snapshot's own clock; nullopt: it has no time, or is kBeforeHistory.
    std::optional<TimeNs> timeAt(EventNumber number) const;
    /// Bytes that a request takes up at least: a multiple of 512, after `padding`. Allocators of PyTorch add nothing,
    /// that of torch_npu 32 bytes: which one it was is seen by the blocks at the end.
    std::int64_t roundedSize(std::int64_t requested) const;
    /// The block that is there at the address in a state. O(log blocks + reuses of the address).
    BlockNumber blockAt(std::int64_t address, EventNumber at) const;
    /// Blocks [first, last) of byAddress with this address, by their begin.
    std::pair<std::size_t, std::size_t> usesOf(std::int64_t address) const;

    std::vector<std::uint8_t> actionOfText;  ///< SnapshotAction by number of a text; others are Other.
};

/// @param progress  Its total and what is done, in rows. May be null.
/// @return Null if cancelled, or if the device has more entries or blocks than EventNumber counts.
///         O(entries + blocks log blocks); 10^7 entries with 10^6 blocks take some seconds.
std::shared_ptr<const DeviceSnapshot> deviceSnapshot(std::shared_ptr<const RowTables> rows, std::int64_t device,
                                                     ProgressSlot* progress, const CancelToken& cancel);

}  // namespace altiscope
