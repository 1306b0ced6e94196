#pragma once

#include "core/base/values/result.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <cstdint>
#include <vector>

namespace altiscope::generate {

/// Steps of a run whose collectives stand in the cluster files: all of a small run. Detail of many ranks would fill
/// gigabytes, so large runs have it for the first steps only.
std::uint32_t clusterCommunicationSteps(const RunPlan& plan);

/// Truth of a run that is written in no other format: only what cluster files hold.
/// @param steps  Of all ranks, as collected while the run was planned.
/// @return Truths without tracks and memory; links of the steps that writeCluster details. Cancelled.
Result<std::vector<RankTruth>> clusterTruth(const PassContext& context, std::vector<StepCollector> steps);

/// Writes cluster_analysis_output: step times of all ranks, collectives and links by groups of ranks.
/// Source of the formats: text output of the vendor's cluster analysis in its current form.
/// @param truths  By rank, with their steps.
/// @return Error generate.write_failed, or Cancelled. Memory: the collectives of one step and group.
Result<Done> writeCluster(const PassContext& context, const std::vector<RankTruth>& truths, OutputTarget& target);

}  // namespace altiscope::generate
