#pragma once

#include "core/base/values/result.h"
#include "core/generate/ranks/unit_pass.h"
#include "core/generate/support/output_target.h"

#include <cstdint>

namespace altiscope::generate {

/// Writes memory_snapshot/snapshot_R.pickle: what a memory snapshot at the end of the run would hold of the rank's
/// framework allocator, with the history from the model's first block on. Allocations, their sizes and their order are
/// those of the rank's memory files; addresses and segments are this file's own. A block has the stack of the operator
/// that allocates it.
/// @return Error generate.write_failed, or Cancelled.
/// Source of the format: files of torch_npu 2.6.
Result<Done> writeSnapshot(const PassContext& context, OutputTarget& target, std::uint32_t rank);

}  // namespace altiscope::generate
