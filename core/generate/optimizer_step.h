#pragma once

#include "core/generate/model_stage.h"

#include <vector>

namespace altiscope::generate {

/// Writes a step of AdamW over all parameters of a rank, a few dozen tensors a kernel. O(parameters).
void writeOptimizerStep(ProgramBuilder& builder, const std::vector<Tensor>& parameters);

}  // namespace altiscope::generate
