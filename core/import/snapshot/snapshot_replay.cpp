#include "core/import/snapshot/snapshot_replay.h"

#include "core/import/snapshot/address_map.h"
#include "core/import/snapshot/segment_map.h"

#include <algorithm>
#include <iterator>

namespace altiscope::reader {

namespace {

/// In the map of what is allocated: a past block, not one of the segments.
constexpr std::uint32_t kPast = std::uint32_t{1} << 31;

/// Sums of forged sizes may leave 64 bits.
void addWrapping(std::int64_t& sum, std::int64_t value) {
    sum = static_cast<std::int64_t>(static_cast<std::uint64_t>(sum) + static_cast<std::uint64_t>(value));
}

class HistoryReplay {
public:
    HistoryReplay(const PickleObjects& objects, SnapshotDevice& device, SnapshotHistory& history)
        : m_objects(objects), m_device(device), m_history(history) {}

    bool run(const std::function<void(std::size_t)>& onPiece, const CancelToken& cancel) {
        if (!markWorkspaces(cancel)) return false;
        takeEnd();
        std::int64_t number = m_history.entries;
        for (std::size_t piece = m_history.pieces.size(); piece-- > 0;) {
            const bool isLast = piece + 1 == m_history.pieces.size();
            const std::size_t end = isLast ? m_device.runs.size() : m_history.pieces[piece + 1].firstRun;
            for (std::size_t run = end; run-- > m_history.pieces[piece].firstRun;) {
                if (cancel.cancelled()) return false;
                const auto items = m_objects.items(m_device.runs[run]);
                for (auto item = items.rbegin(); item != items.rend(); ++item) {
                    --number;
                    SnapshotEntry entry;
                    if (!entryOf(m_objects, *item, entry)) {
                        ++m_history.badEntries;
                        m_history.firstBadEntry = number;  // the first in the file comes last
                        continue;
                    }
                    noteTime(number, entry);
                    undo(number, entry);
                }
            }
            m_history.pieces[piece].allocated = m_history.allocated;
            m_history.pieces[piece].reserved = m_history.reserved;
            onPiece(piece);
        }
        m_live.each([this](std::int64_t, std::uint32_t) { ++m_history.older; });
        return true;
    }

private:
    bool markWorkspaces(const CancelToken& cancel);
    void takeEnd();
    bool isFilled(const SnapshotSegment& segment) const;
    void noteTime(std::int64_t number, const SnapshotEntry& entry);
    void undo(std::int64_t number, const SnapshotEntry& entry);
    void undoAlloc(std::int64_t number, const SnapshotEntry& entry);
    void undoFree(std::int64_t number, const SnapshotEntry& entry);
    void undoSegment(std::int64_t number, const SnapshotEntry& entry);
    std::uint32_t addPast(const SnapshotEntry& entry);
    void disagree(std::int64_t number) {
        ++m_history.disagreeing;
        m_history.firstDisagreeing = number;  // the first in the file comes last
    }

    const PickleObjects& m_objects;
    SnapshotDevice& m_device;
    SnapshotHistory& m_history;
    AddressMap m_live;  // what is allocated, or about to be freed
    SegmentMap m_segments;
    std::int64_t m_nextTime = kNoCell, m_nextTimed = 0;  // the nearest later entry with a time, and its number
};

/// The pool's history stands before that of everything else, as three entries for each of its segments; the segments
/// themselves look unused.
bool HistoryReplay::markWorkspaces(const CancelToken& cancel) {
    constexpr SnapshotWord kTriple[] = {SnapshotWord::WorkspaceSnapshot, SnapshotWord::SegmentAlloc,
                                        SnapshotWord::Alloc};
    AddressMap unused;
    std::size_t step = 0, count = 0;
    std::int64_t address = kNoCell;
    for (const std::uint32_t run : m_device.runs) {
        if (cancel.cancelled()) return false;
        for (const std::uint32_t item : m_objects.items(run)) {
            SnapshotEntry entry;
            if (!entryOf(m_objects, item, entry)) continue;
            if (!entry.is(kTriple[step])) return true;
            if (count++ == 0) {
                for (std::size_t i = 0; i < m_device.blocks.size(); ++i) {
                    const SnapshotBlock& block = m_device.blocks[i];
                    if (block.is(SnapshotWord::Inactive)) unused.set(block.address, static_cast<std::uint32_t>(i));
                }
            }
            if (step == 0) address = entry.address;
            if (entry.address != address) return true;
            step = (step + 1) % std::size(kTriple);
            const std::uint32_t block = step == 0 ? unused.find(address) : AddressMap::kNone;
            if (block == AddressMap::kNone) continue;
            m_device.blocks[block].isWorkspace = true;
            unused.erase(address);
            ++m_history.workspaces;
        }
    }
    return true;
}

/// Allocators cut a segment up without a rest. One without blocks is left alone: there is nothing to compare.
bool HistoryReplay::isFilled(const SnapshotSegment& segment) const {
    std::uint64_t next = static_cast<std::uint64_t>(segment.address);
    for (std::size_t i = segment.firstBlock; i < segment.firstBlock + segment.blocks; ++i) {
        const SnapshotBlock& block = m_device.blocks[i];
        if (static_cast<std::uint64_t>(block.address) != next) return false;
        next += static_cast<std::uint64_t>(block.size);
    }
    return segment.blocks == 0 ||
           next == static_cast<std::uint64_t>(segment.address) + static_cast<std::uint64_t>(segment.size);
}

void HistoryReplay::takeEnd() {
    for (const SnapshotSegment& segment : m_device.segments) {
        addWrapping(m_history.reserved, segment.size);
        if (!m_segments.add(segment.address, segment.size)) ++m_history.disagreeing;
        if (!isFilled(segment)) ++m_history.misfits;
    }
    for (std::size_t i = 0; i < m_device.blocks.size(); ++i) {
        const SnapshotBlock& block = m_device.blocks[i];
        if (block.isAllocated()) addWrapping(m_history.allocated, block.bytes());
        if (block.isAllocated() || block.isPending()) m_live.set(block.address, static_cast<std::uint32_t>(i));
    }
}

void HistoryReplay::noteTime(std::int64_t number, const SnapshotEntry& entry) {
    if (entry.hasBadTime) {
        ++m_history.badTimes;
        m_history.firstBadTime = number;
    }
    if (entry.hasBadAnnotation) {
        ++m_history.badAnnotations;
        m_history.firstBadAnnotation = number;
    }
    if (entry.time == kNoCell) return;
    if (m_nextTime != kNoCell && m_nextTime < entry.time) {
        ++m_history.backwards;
        m_history.firstBackwards = m_nextTimed;  // the first in the file comes last
    }
    m_nextTime = entry.time;
    m_nextTimed = number;
}

std::uint32_t HistoryReplay::addPast(const SnapshotEntry& entry) {
    const auto segment = m_segments.segmentAt(entry.address);
    PastBlock past;
    past.address = entry.address;
    past.requested = entry.size;
    past.segment = segment.value_or(kNoCell);
    m_history.past.push(past);
    return static_cast<std::uint32_t>(m_history.past.size() - 1);
}

void HistoryReplay::undoAlloc(std::int64_t number, const SnapshotEntry& entry) {
    const std::uint32_t live = m_live.find(entry.address);
    std::int64_t size = kNoCell;
    if (live == AddressMap::kNone) {
        PastBlock& past = m_history.past[addPast(entry)];
        past.allocEvent = number;
        past.stack = entry.stack;
        return disagree(number);
    }
    if ((live & kPast) != 0) {
        PastBlock& past = m_history.past[live & ~kPast];
        past.allocEvent = number;
        past.stack = entry.stack;
        size = past.requested;
    } else {
        SnapshotBlock& block = m_device.blocks[live];
        block.allocEvent = number;
        if (block.stack == 0) block.stack = entry.stack;
        size = block.requested == kNoCell || block.isWorkspace ? entry.size : block.requested;
    }
    if (size != entry.size) disagree(number);
    m_live.erase(entry.address);
}

void HistoryReplay::undoFree(std::int64_t number, const SnapshotEntry& entry) {
    const bool isCompleted = entry.is(SnapshotWord::FreeCompleted);
    const bool isThere = m_live.find(entry.address) != AddressMap::kNone;
    // A request is followed by its completion, or by the end of the history with the block in a segment.
    if (isThere == isCompleted) disagree(number);
    if (isThere && !isCompleted) return;
    const std::uint32_t past = addPast(entry);
    m_history.past[past].freeEvent = number;
    m_live.set(entry.address, past | kPast);
}

void HistoryReplay::undoSegment(std::int64_t number, const SnapshotEntry& entry) {
    bool fits = true;
    if (entry.is(SnapshotWord::SegmentAlloc)) fits = m_segments.remove(entry.address, entry.size);
    if (entry.is(SnapshotWord::SegmentFree)) fits = m_segments.add(entry.address, entry.size);
    if (entry.is(SnapshotWord::SegmentMap)) fits = m_segments.unmap(entry.address, entry.size);
    if (entry.is(SnapshotWord::SegmentUnmap)) fits = m_segments.map(entry.address, entry.size);
    if (!fits) disagree(number);
}

void HistoryReplay::undo(std::int64_t number, const SnapshotEntry& entry) {
    const SnapshotChange change = changeOf(entry);
    addWrapping(m_history.allocated, -change.allocated);
    addWrapping(m_history.reserved, -change.reserved);
    if (entry.address == kNoCell || entry.size == kNoCell) return;
    if (entry.is(SnapshotWord::Alloc)) undoAlloc(number, entry);
    else if (entry.is(SnapshotWord::FreeRequested) || entry.is(SnapshotWord::FreeCompleted)) undoFree(number, entry);
    else if (change.reserved != 0) undoSegment(number, entry);
}

}  // namespace

SnapshotHistory historyOf(const PickleObjects& objects, const SnapshotDevice& device) {
    constexpr std::int64_t kPieceEntries = std::int64_t{1} << 17;
    SnapshotHistory history;
    for (std::size_t run = 0; run < device.runs.size(); ++run) {
        if (run == 0 || history.entries - history.pieces.back().firstEntry >= kPieceEntries)
            history.pieces.push_back({run, history.entries, 0, 0});
        history.entries += static_cast<std::int64_t>(objects.items(device.runs[run]).size());
    }
    return history;
}

bool replayHistory(const PickleObjects& objects, SnapshotDevice& device, SnapshotHistory& history,
                   const std::function<void(std::size_t)>& onPiece, const CancelToken& cancel) {
    return HistoryReplay(objects, device, history).run(onPiece, cancel);
}

}  // namespace altiscope::reader
