#include "core/analysis/snapshot/segment_ranges.h"

#include <iterator>

namespace altiscope {

namespace {

/// False where it is no range.
bool rangeEndOf(std::int64_t address, std::int64_t size, std::int64_t& end) {
    return size > 0 && !__builtin_add_overflow(address, size, &end);
}

template <class Ranges>
auto rangeHolding(Ranges& ranges, std::int64_t address) {
    const auto next = ranges.upper_bound(address);
    if (next == ranges.begin()) return ranges.end();
    const auto found = std::prev(next);
    return address < found->second ? found : ranges.end();
}

}  // namespace

void SegmentRanges::add(std::int64_t address, std::int64_t size) {
    std::int64_t end = 0;
    if (!rangeEndOf(address, size, end) || rangeHolding(m_ranges, address) != m_ranges.end()) return;
    const auto next = m_ranges.upper_bound(address);
    if (next == m_ranges.end() || next->first >= end) m_ranges.emplace(address, end);
}

void SegmentRanges::remove(std::int64_t address, std::int64_t size) {
    std::int64_t end = 0;
    const auto found = m_ranges.find(address);
    if (rangeEndOf(address, size, end) && found != m_ranges.end() && found->second == end) m_ranges.erase(found);
}

void SegmentRanges::map(std::int64_t address, std::int64_t size) {
    const std::size_t before = m_ranges.size();
    add(address, size);
    if (m_ranges.size() == before) return;
    auto made = m_ranges.find(address);
    const auto next = std::next(made);
    if (next != m_ranges.end() && next->first == made->second) {
        made->second = next->second;
        m_ranges.erase(next);
    }
    if (made == m_ranges.begin()) return;
    const auto previous = std::prev(made);
    if (previous->second != made->first) return;
    previous->second = made->second;
    m_ranges.erase(made);
}

void SegmentRanges::unmap(std::int64_t address, std::int64_t size) {
    std::int64_t end = 0;
    const auto found = rangeHolding(m_ranges, address);
    if (!rangeEndOf(address, size, end) || found == m_ranges.end() || found->second < end) return;
    const auto [begin, after] = *found;
    m_ranges.erase(found);
    if (begin < address) m_ranges.emplace(begin, address);
    if (end < after) m_ranges.emplace(end, after);
}

void undoSegmentEntry(const SnapshotEntryView& entry, SegmentRanges& ranges) {
    if (entry.address == kNoCell || entry.size == kNoCell) return;
    switch (entry.action) {
    case SnapshotAction::SegmentAlloc: return ranges.remove(entry.address, entry.size);
    case SnapshotAction::SegmentFree: return ranges.add(entry.address, entry.size);
    case SnapshotAction::SegmentMap: return ranges.unmap(entry.address, entry.size);
    case SnapshotAction::SegmentUnmap: return ranges.map(entry.address, entry.size);
    case SnapshotAction::Alloc:
    case SnapshotAction::FreeRequested:
    case SnapshotAction::FreeCompleted:
    case SnapshotAction::OutOfMemory:
    case SnapshotAction::Other: return;
    }
}

}  // namespace altiscope
