#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// The forward or backward pass of a micro-batch on a stage of a pipeline.
struct PipelineBlock {
    std::optional<std::int64_t> step;  ///< nullopt: the recording has none.
    std::uint32_t microBatch = 0;      ///< Number among those of its direction in the step, from 0: the schedules of
                                       ///< GPipe and 1F1B take them in order.
    bool isBackward = false;
    TimeRange range;  ///< Of the kernels of the device, on the clock of the rank.

    bool operator==(const PipelineBlock&) const = default;
};
std::string_view pipelineDirectionName(bool isBackward);  ///< "forward", "backward"

/// The blocks of a rank, by begin. A kernel belongs to the forward pass if the operator that launched it, or one around
/// it, is where a flow "fwdbwd" begins, and to the backward pass if it is on a thread where such flows end. In the order
/// of launches a block lasts until the direction changes or the rank sends or receives. Recomputed forward passes are
/// part of the backward pass.
/// @param stages  Of its pipeline; with fewer than two there are no blocks, and none without such flows or without sends
///                or receives: what is one micro-batch would be a guess.
/// @return Incomplete if cancelled. Any thread; parallel on the arena. O(flows * log slices).
std::vector<PipelineBlock> pipelineBlocks(const RankEntry& rank, std::int64_t stages, const CancelToken& cancel);

}  // namespace altiscope
