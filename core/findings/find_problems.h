#pragma once

#include "core/base/values/cancel.h"
#include "core/findings/finding.h"
#include "core/findings/thresholds.h"

#include <cstddef>
#include <vector>

namespace altiscope {

/// What all rules but those of memory_rules.h find in a capture; programs call find_all_problems.h, which has both. The
/// worst first (severity, then recoverable time, then rule and rank), each cause
/// once.
/// @return Incomplete if cancelled (within some ms).
/// @note  Pure; any thread. O(ranks * names of kernels), some ms for thousands of ranks.
std::vector<Finding> findProblems(const CaptureFacts& facts, const FindingThresholds& thresholds = {},
                                  const CancelToken& cancel = {});

/// How many findings there are of each severity.
struct FindingCounts {
    std::size_t high = 0, medium = 0, low = 0;
};
FindingCounts countFindings(const std::vector<Finding>& findings);

}  // namespace altiscope
