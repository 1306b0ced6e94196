#pragma once

#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/generate/options/generate_options.h"

#include <cstdint>

namespace altiscope::generate {

/// What was written.
struct GenerateSummary {
    std::uint32_t ranks = 0;
    std::uint32_t steps = 0;
    std::uint32_t layers = 0;
    std::uint64_t bytes = 0;  ///< Of all files.
};

/// Makes a capture: `options.output`/rank{R}_ascend_pt/... for every rank and truth.json
/// (resources/help/reference/command-line.md).
///
/// Ranks and units of work are written in parallel on the workers of the current arena; the same options give the same
/// bytes for any number of workers. Memory does not grow with the size of the capture: some units of text, and 24 bytes
/// a rank and unit of work beside it.
/// @param progress  Gets bytes written; the total is known only if options.size is.
/// @return Error generate.output_not_empty, generate.output_not_folder, generate.write_failed, or generate.too_small
/// {minimum}
///         if not even the smallest run fits into options.size. Nothing is left behind then, nor when cancelled.
Result<GenerateSummary> generateCapture(const GenerateOptions& options, ProgressSlot& progress,
                                        const CancelToken& cancel);

}  // namespace altiscope::generate
