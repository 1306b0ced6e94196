#pragma once

#include "core/generate/options/generate_options.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <vector>

namespace altiscope::generate {

/// Writes a run in every format that the options request, ranks in parallel on the workers of the current arena.
/// @param context  Its export types are set here.
/// @param steps    Of a cluster alone, by rank, as collected while the run was planned; else they are not used.
/// @return What was written, by rank: the same for all formats, since they are twins. Error of a writer, or Cancelled.
Result<std::vector<RankTruth>> writeFormats(const GenerateOptions& options, PassContext context,
                                            std::vector<StepCollector> steps, DiskTarget& target);

/// Whether no files of ranks are written.
bool isClusterAlone(const GenerateOptions& options);

}  // namespace altiscope::generate
