#pragma once

#include "core/base/values/result.h"
#include "core/generate/database/text_range.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <cstdint>

namespace altiscope::generate {

/// Writes the databases of one rank, ascend_pytorch_profiler_{R}.db and analysis.db, in one pass over the units; beside
/// them the profiler's settings if the text export does not write them (`context.exportTypes`).
/// Memory: `context.unitsAtOnce` units and some megabytes of pages, however long the run is; with distinct names also
/// 40 bytes for each of them.
/// @return What was written, in the terms of the text export: the two are twins. Error generate.write_failed, or
/// Cancelled.
Result<RankTruth> writeDbRank(const PassContext& context, const CommonTexts& texts, DiskTarget& target,
                              std::uint32_t rank);

}  // namespace altiscope::generate
