#pragma once

#include "core/generate/model/model_stage.h"

#include <cstdint>
#include <vector>

namespace altiscope::generate {

/// Sgd: with momentum.
enum class Optimizer : std::uint8_t { AdamW, Sgd };

/// Writes a step of an optimizer over all parameters of a rank, a few dozen tensors a kernel. O(parameters).
void writeOptimizerStep(ProgramBuilder& builder, Optimizer optimizer, const std::vector<Tensor>& parameters);

}  // namespace altiscope::generate
