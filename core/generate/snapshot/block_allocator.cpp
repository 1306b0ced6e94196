#include "core/generate/snapshot/block_allocator.h"

#include <iterator>

namespace altiscope::generate {

namespace {

// PyTorch's own numbers.
constexpr std::uint64_t kMebibyte = std::uint64_t{1} << 20;
constexpr std::uint64_t kSmallBlock = kMebibyte, kSmallSegment = 2 * kMebibyte;
constexpr std::uint64_t kLargeSegment = 20 * kMebibyte, kOwnSegment = 10 * kMebibyte;

std::uint64_t segmentSize(std::uint64_t size) {
    if (size <= kSmallBlock) return kSmallSegment;
    if (size < kOwnSegment) return kLargeSegment;
    return (size + kSmallSegment - 1) / kSmallSegment * kSmallSegment;
}

}  // namespace

void BlockAllocator::setFree(Parts::iterator part) {
    part->second.isUsed = false;
    const auto next = std::next(part);
    if (next != m_parts.end() && !next->second.isUsed && next->second.segment == part->second.segment) {
        freeParts(next->second).erase({next->second.size, next->first});
        part->second.size += next->second.size;
        m_parts.erase(next);
    }
    if (part != m_parts.begin()) {
        const auto before = std::prev(part);
        if (!before->second.isUsed && before->second.segment == part->second.segment) {
            freeParts(before->second).erase({before->second.size, before->first});
            before->second.size += part->second.size;
            m_parts.erase(part);
            part = before;
        }
    }
    freeParts(part->second).insert({part->second.size, part->first});
}

BlockAllocator::Placed BlockAllocator::allocate(std::uint64_t size) {
    Placed placed;
    const bool isSmall = size <= kSmallBlock;
    auto& holes = m_free[isSmall ? 1 : 0];
    auto hole = holes.lower_bound({size, 0});
    if (hole == holes.end()) {
        const Segment made{m_next, segmentSize(size), isSmall};
        // Segments do not touch: nothing grows together over their ends.
        m_next += made.size + kSmallSegment;
        m_segments.emplace(made.address, made);
        m_parts.emplace(made.address, Part{made.size, false, isSmall, made.address});
        hole = holes.insert({made.size, made.address}).first;
        placed.made = made;
    }
    const auto part = m_parts.find(hole->second);
    holes.erase(hole);
    const std::uint64_t rest = part->second.size - size;
    // A large block keeps what would be too small for another one.
    const bool isSplit = isSmall ? rest >= 512 : rest > kSmallBlock;
    if (isSplit) {
        const std::uint64_t at = part->first + size;
        m_parts.emplace(at, Part{rest, false, isSmall, part->second.segment});
        holes.insert({rest, at});
        part->second.size = size;
    }
    part->second.isUsed = true;
    placed.address = part->first;
    return placed;
}

void BlockAllocator::release(std::uint64_t address) { setFree(m_parts.find(address)); }

}  // namespace altiscope::generate
