#pragma once

#include "core/base/values/cancel.h"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// Durations in several pieces of memory, in ns and none negative.
using DurationParts = std::vector<std::span<const std::int64_t>>;

/// How long most are: the nearest-rank percentiles. The p-th one of n durations is the ceil(n * p / 100)-th smallest.
struct DurationPercentiles {
    std::int64_t median = 0, p95 = 0, p99 = 0;  ///< ns
    bool operator==(const DurationPercentiles&) const = default;
};

/// Durations within [from, to) ns.
struct DurationBucket {
    std::int64_t from = 0, to = 0;
    std::uint64_t count = 0;
    bool operator==(const DurationBucket&) const = default;
};

/// Exact percentiles; nullopt for no durations, or if cancelled. O(n), in parallel where n is large; no copy of the
/// durations.
std::optional<DurationPercentiles> percentilesOf(const DurationParts& parts, const CancelToken& cancel);

/// How many durations lie in each part of a logarithmic scale: each power of two is cut into four buckets of equal
/// width (below 4 ns each ns is one). From the first bucket with any to the last one, empty ones between included.
/// O(n); empty if cancelled.
std::vector<DurationBucket> histogramOf(const DurationParts& parts, const CancelToken& cancel);

}  // namespace altiscope
