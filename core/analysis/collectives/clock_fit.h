#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// When a collective ended, and what it was: kind and size as a number that is the same on all ranks.
struct CollectiveEnd {
    std::int64_t end = 0;  // ns, own clock
    std::uint64_t what = 0;
    std::uint32_t slice = 0xffffffffU;  ///< SliceIndex, for those who want to know; no part of the fit.
};

/// A line that leads from one clock to another: other = own + offset + (own - base) * driftPpb / 10^9.
struct ClockLine {
    std::int64_t base = 0, offset = 0, driftPpb = 0;
    std::int64_t residual = 0;  ///< ns: 95 of 100 pairs lie within.
    std::uint64_t pairs = 0;

    std::int64_t at(std::int64_t own) const;
    /// The line back.
    ClockLine inverse() const;
    /// First this one, then another; residuals add up.
    ClockLine then(const ClockLine& next) const;
    /// The same line with another base.
    ClockLine withBase(std::int64_t newBase) const;
};

/// The line between the clocks of two ranks of a group, by their collectives in order of time. nullopt if these do not
/// fit together:
/// they are not those of one group, or too few to tell which is which.
std::optional<ClockLine> fitClocks(const std::vector<CollectiveEnd>& own, const std::vector<CollectiveEnd>& other);

}  // namespace altiscope
