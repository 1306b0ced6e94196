#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

namespace altiscope::generate {

/// Where blocks of a caching allocator lie: best fit in segments that are never given back. Small blocks have segments
/// of their own, as in PyTorch. Sizes and addresses are bytes.
class BlockAllocator {
public:
    struct Segment {
        std::uint64_t address = 0, size = 0;
        bool isSmall = false;
    };
    struct Placed {
        std::uint64_t address = 0;
        std::optional<Segment> made;  ///< A segment that had to be reserved for it.
    };

    explicit BlockAllocator(std::uint64_t base) : m_next(base) {}

    /// @param size  Rounded to blocks of 512 bytes, at least one.
    Placed allocate(std::uint64_t size);
    void release(std::uint64_t address);

    /// By address.
    const std::map<std::uint64_t, Segment>& segments() const { return m_segments; }
    /// Calls take(address, size, isUsed) for each part of a segment, in order.
    template <class Take>
    void eachPart(const Segment& segment, Take&& take) const {
        for (auto part = m_parts.find(segment.address);
             part != m_parts.end() && part->first < segment.address + segment.size; ++part)
            take(part->first, part->second.size, part->second.isUsed);
    }

private:
    struct Part {
        std::uint64_t size = 0;
        bool isUsed = false, isSmall = false;
        std::uint64_t segment = 0;
    };
    using Parts = std::map<std::uint64_t, Part>;
    std::set<std::pair<std::uint64_t, std::uint64_t>>& freeParts(const Part& part) {
        return m_free[part.isSmall ? 1 : 0];
    }
    void setFree(Parts::iterator part);

    std::uint64_t m_next;
    std::map<std::uint64_t, Segment> m_segments;
    Parts m_parts;
    std::set<std::pair<std::uint64_t, std::uint64_t>> m_free[2];  // size, address
};

}  // namespace altiscope::generate
