#pragma once

#include "core/base/values/time.h"
#include "views/cluster/data/cluster_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// The ranks of one pipeline that are here, by stage.
struct PipelineRanks {
    std::vector<std::pair<std::int64_t, RankIndex>> ranks;  ///< Stage, rank.
    std::int64_t stages = 0;                                ///< The job's.
};
/// Those of which passes of micro-batches are known, by their first rank; within the filter of all pages. O(ranks).
std::vector<PipelineRanks> pipelinesOf(const ClusterSource& source);

/// Passes of micro-batches on the stages of a pipeline in one step. Constant.
struct PipelinePicture {
    struct Block {
        TimeRange range;         ///< On the common clock; on its own where that is not known.
        std::uint32_t lane = 0;  ///< In PipelineRanks::ranks.
        std::uint32_t microBatch = 0;
        bool isBackward = false;
        TimeRange own;  ///< On the clock of its rank.
    };
    struct Arrow {
        std::uint32_t from = 0, to = 0;  ///< In `blocks`.
    };
    PipelineRanks pipeline;
    std::optional<std::int64_t> step;
    std::vector<Block> blocks;     ///< By lane and begin.
    std::vector<Arrow> arrows;     ///< From forward passes to the next stage, from backward ones to the one before.
    TimeRange range;               ///< All blocks; empty: there are none.
    std::size_t microBatches = 0;  ///< 0: stages differ in their number, so that there are no arrows.

    /// Share of the range in which a lane does nothing; of all lanes their mean.
    double bubbleOf(std::uint32_t lane) const;
    double bubble() const;
    /// The share that 1F1B and GPipe have: (stages - 1) / (micro-batches + stages - 1); nullopt: micro-batches or some
    /// stages are not known. Source: core/analysis/FORMULAS.md section B.
    std::optional<double> idealBubble() const;
};
/// Steps in which any block of a pipeline is known, ascending. O(blocks).
std::vector<std::optional<std::int64_t>> pipelineSteps(const ClusterSource& source, const PipelineRanks& pipeline);
/// O(blocks * log).
PipelinePicture pipelinePicture(const ClusterSource& source, const PipelineRanks& pipeline,
                                std::optional<std::int64_t> step);

}  // namespace altiscope
