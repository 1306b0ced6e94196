#include "core/import/snapshot/segment_map.h"

#include <iterator>
#include <limits>

namespace altiscope::reader {

namespace {

/// End of a range; nullopt where it is none.
std::optional<std::int64_t> rangeEnd(std::int64_t address, std::int64_t size) {
    if (size <= 0 || address > std::numeric_limits<std::int64_t>::max() - size) return std::nullopt;
    return address + size;
}

}  // namespace

SegmentMap::Ranges::const_iterator SegmentMap::rangeAt(std::int64_t address) const {
    auto next = m_ranges.upper_bound(address);
    if (next == m_ranges.begin()) return m_ranges.end();
    const auto found = std::prev(next);
    return address < found->second ? found : m_ranges.end();
}

std::optional<std::int64_t> SegmentMap::segmentAt(std::int64_t address) const {
    if (address >= m_lastBegin && address < m_lastEnd) return m_lastBegin;
    const auto found = rangeAt(address);
    if (found == m_ranges.end()) return std::nullopt;
    m_lastBegin = found->first;
    m_lastEnd = found->second;
    return m_lastBegin;
}

bool SegmentMap::add(std::int64_t address, std::int64_t size) {
    m_lastEnd = m_lastBegin = 0;
    const auto end = rangeEnd(address, size);
    if (!end || rangeAt(address) != m_ranges.end()) return false;
    const auto next = m_ranges.upper_bound(address);
    if (next != m_ranges.end() && next->first < *end) return false;
    m_ranges.emplace(address, *end);
    return true;
}

bool SegmentMap::remove(std::int64_t address, std::int64_t size) {
    m_lastEnd = m_lastBegin = 0;
    const auto end = rangeEnd(address, size);
    const auto found = m_ranges.find(address);
    if (!end || found == m_ranges.end() || found->second != *end) return false;
    m_ranges.erase(found);
    return true;
}

bool SegmentMap::map(std::int64_t address, std::int64_t size) {
    if (!add(address, size)) return false;
    auto made = m_ranges.find(address);
    const auto next = std::next(made);
    if (next != m_ranges.end() && next->first == made->second) {
        made->second = next->second;
        m_ranges.erase(next);
    }
    if (made == m_ranges.begin()) return true;
    const auto before = std::prev(made);
    if (before->second != made->first) return true;
    before->second = made->second;
    m_ranges.erase(made);
    return true;
}

bool SegmentMap::unmap(std::int64_t address, std::int64_t size) {
    m_lastEnd = m_lastBegin = 0;
    const auto end = rangeEnd(address, size);
    const auto found = rangeAt(address);
    if (!end || found == m_ranges.end() || found->second < *end) return false;
    const std::int64_t begin = found->first, after = found->second;
    m_ranges.erase(found);
    if (begin < address) m_ranges.emplace(begin, address);
    if (*end < after) m_ranges.emplace(*end, after);
    return true;
}

}  // namespace altiscope::reader
