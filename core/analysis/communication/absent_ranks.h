#pragma once

#include "core/analysis/support/capture_facts.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope {

/// Ranks of a run that its capture has nothing of.
struct AbsentRanks {
    std::vector<std::int64_t> ranks;  ///< Sorted.
    std::size_t all = 0;              ///< How many the run has, as far as known.
    bool operator==(const AbsentRanks&) const = default;
};

/// The members that files state of communication groups, and the numbers below those of the ranks that are there, less
/// these. Where any rank has no number, none is said to be absent; a capture of one rank says nothing of lower ones.
/// O(members of all groups); on a worker.
AbsentRanks absentRanks(const CaptureStore& capture);

/// Sets members and absent of the WaitFacts of all ranks, by the groups whose members files state. Nothing where any
/// rank has no number. O(members of all groups * log).
void nameAbsentMembers(const CaptureStore& capture, CaptureFacts& facts);

}  // namespace altiscope
