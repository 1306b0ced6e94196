#pragma once

#include "core/base/values/result.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <cstdint>

namespace altiscope::generate {

/// Writes what a rank of torch_npu on a chip of generation 5 leaves before anything is analysed: a PROF folder and
/// FRAMEWORK, in the folder of the rank. One pass over the units; memory does not grow with the run but for its names.
/// What differs from the text of the same run: core/generate/raw/FORMAT.md.
/// @return Error generate.write_failed, or Cancelled.
Result<Done> writeRawRank(const PassContext& context, OutputTarget& target, std::uint32_t rank);

}  // namespace altiscope::generate
