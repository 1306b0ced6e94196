#pragma once

#include "core/base/values/result.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// "(0, 1, 2)"; of one rank "(5,)".
std::string rankTuple(const std::vector<std::uint32_t>& ranks);

/// Writes cluster_step_trace_time.csv: for each step a row per rank and one per
/// pipeline stage, which has the maxima over its ranks.
Result<Done> writeClusterSteps(const PassContext& context, const std::vector<RankTruth>& truths, OutputTarget& target);

}  // namespace altiscope::generate
