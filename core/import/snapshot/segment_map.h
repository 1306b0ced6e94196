#pragma once

#include <cstdint>
#include <map>
#include <optional>

namespace altiscope::reader {

/// The segments of a device at a moment of its history, as ranges of addresses.
class SegmentMap {
public:
    /// @param size  Bytes, not negative. False: something is there already.
    bool add(std::int64_t address, std::int64_t size);
    /// Takes a whole segment away. False: there is none of that address and size.
    bool remove(std::int64_t address, std::int64_t size);
    /// The same of a part of an expandable segment, which becomes one with its neighbours.
    bool map(std::int64_t address, std::int64_t size);
    bool unmap(std::int64_t address, std::int64_t size);

    /// Address of the segment that an address lies in.
    std::optional<std::int64_t> segmentAt(std::int64_t address) const;

private:
    using Ranges = std::map<std::int64_t, std::int64_t>;  // end by begin
    Ranges::const_iterator rangeAt(std::int64_t address) const;

    Ranges m_ranges;
    // Most blocks are in the segment of the one before.
    mutable std::int64_t m_lastBegin = 0, m_lastEnd = 0;
};

}  // namespace altiscope::reader
