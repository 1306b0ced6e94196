#pragma once

#include "core/analysis/layer_sums.h"
#include "core/session/context_filter.h"

#include <optional>
#include <vector>

namespace altiscope {

/// The ranks of a capture that a context holds, and when: its steps and range, and of these what lies within `marked`. A rank without
/// any such time is left out. O(steps of the ranks * log).
/// @param context  Of this capture (see ContextFilter::forCapture).
std::vector<HeldRank> heldRanks(const CaptureStore& capture, const ContextFilter& context, std::optional<TimeRange> marked);

}  // namespace altiscope
