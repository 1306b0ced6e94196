#pragma once

#include "core/analysis/facts/memory_usage.h"
#include "core/findings/rule_support.h"

#include <span>

namespace altiscope {

/// When memory is worth a finding.
struct MemoryLimits {
    /// Of what is reserved, that is never given out: an allocator that works well keeps a tenth in its segments. And so
    /// many bytes: some segments of streams and sizes that are rarely used are no fault.
    double fragmentationShare = 0.1;
    double fragmentationBytes = 1073741824;
    /// Above the usual step's peak: batches of different lengths differ by less.
    double spikeShare = 0.2;
    double spikeBytes = 268435456;
    /// Of what is allocated at the end of a snapshot, that is older than its history: less does not change what holds
    /// most of the memory.
    double unknownShare = 0.1;
};

/// Rules about memory that look at its use: fragmentation, memory_spike, unused_allocation, cut_history; and the names
/// after a memory_leak that was found. Rules of `context` have run.
/// @param usage  Of the ranks of the facts.
void runMemoryRules(RuleContext& context, std::span<const MemoryUsage> usage, const MemoryLimits& limits = {});

}  // namespace altiscope
