#pragma once

#include "core/analysis/support/capture_facts.h"
#include "core/store/capture_store.h"

namespace altiscope {

/// Sets RankFacts::isPartial and RankFacts::lost of all ranks, by what the diagnostics say was lost, and in which file.
/// What belongs to no rank (the results for a cluster) is about all of them.
/// @param facts  One entry for each rank of the capture, in its order.
/// Cost: O(diagnostics * depth of their paths * log ranks). Any thread.
void readLostParts(const CaptureStore& capture, CaptureFacts& facts);

/// Whether the timeline of a rank ends in the middle of an event, or in the middle of an archive. Its tracks follow
/// each other in the file, so that nobody knows which steps are complete. O(diagnostics). Any thread.
bool hasCutTimeline(const CaptureStore& capture, const RankInfo& rank);

}  // namespace altiscope
