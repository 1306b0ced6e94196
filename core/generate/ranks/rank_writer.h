#pragma once

#include "core/base/values/result.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"
#include "core/generate/text/host_trace.h"

#include <cstdint>

namespace altiscope::generate {

/// Writes all text files of one rank. A file that is ordered by kind and not by time is written in several passes over
/// the run, each of which plays the units again: memory stays bounded by `context.unitsAtOnce` units however long the
/// run is.
/// @param texts  Of the run's program.
/// @return What was written. Error generate.write_failed, or Cancelled; then files are incomplete.
Result<RankTruth> writeRank(const PassContext& context, const JsonTexts& texts, OutputTarget& target,
                            std::uint32_t rank);

}  // namespace altiscope::generate
