#pragma once

#include "core/analysis/facts/memory_usage.h"
#include "core/base/values/cancel.h"
#include "core/findings/finding.h"
#include "core/findings/thresholds.h"

#include <cstddef>
#include <span>
#include <vector>

namespace altiscope {

/// Findings of all rules in a capture, the worst first (severity, then recoverable time, then rule and rank), each
/// cause once.
/// @param usage  Of the ranks of the facts, see memoryUsage; without it rules about the use of memory find
///               nothing.
/// @return Incomplete if cancelled (within some ms).
/// @note  Pure; any thread. O(ranks * names of kernels), some ms for thousands of ranks.
std::vector<Finding> runRules(const CaptureFacts& facts, std::span<const MemoryUsage> usage,
                              const FindingThresholds& thresholds = {}, const CancelToken& cancel = {},
                              const MemoryLimits& limits = {});

/// How many findings there are of each severity.
struct FindingCounts {
    std::size_t high = 0, medium = 0, low = 0;
};
FindingCounts countFindings(const std::vector<Finding>& findings);

}  // namespace altiscope
