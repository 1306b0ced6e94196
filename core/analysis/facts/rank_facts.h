#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/capture_facts.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>

namespace altiscope {

/// Gathers what rules look at of a rank (index in CaptureStore::ranks), but its stage. Of a rank without events there
/// are the steps of the profiler's summary, kernels, links and packets; of which only a window was read, no kernels
/// either.
/// @param activity  What readDeviceActivity gives of the rank.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(slices + kernels), about one pass.
std::optional<RankFacts> readRankFacts(const CaptureStore& capture, RankIndex rank,
                                       const std::optional<DeviceActivity>& activity, const CaptureGroups& groups,
                                       const CancelToken& cancel);

}  // namespace altiscope
