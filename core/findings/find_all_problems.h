#pragma once

#include "core/analysis/facts/memory_usage.h"
#include "core/findings/find_problems.h"
#include "core/findings/memory_rules.h"

#include <span>

namespace altiscope {

/// As findProblems, with the rules about the use of memory. @param usage  Of the ranks of the facts, see memoryUsage.
std::vector<Finding> findAllProblems(const CaptureFacts& facts, std::span<const MemoryUsage> usage,
                                     const FindingThresholds& thresholds, const CancelToken& cancel,
                                     const MemoryLimits& limits = {});

}  // namespace altiscope
