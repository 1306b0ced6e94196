#pragma once

#include "core/generate/model/model_stage.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Parts that several kinds of layers are made of. Pure functions.

/// Multiplications and additions of the cube cores.
inline constexpr std::uint64_t kFlopPerNs = 200'000;

/// A linear layer without bias from `inputs` to `outputs` features.
Stage linearStage(const ModelShape& shape, std::uint32_t inputs, std::uint32_t outputs);
Stage normStage(const ModelShape& shape);
Stage residualStage(const ModelShape& shape);
/// @param gate  Shape of what goes in and comes out.
Stage siluStage(const Tensor& gate);
Stage productStage(const Tensor& gate);
/// An operator of the layer itself whose result looks like its first input; `backward` are the calls of its gradient.
Stage pointwiseStage(std::string frame, std::string function, Call forward, std::string node,
                     std::vector<Call> backward);

/// From the norm before the attention to the residual after it.
std::vector<Stage> attentionStages(const ModelShape& shape);

}  // namespace altiscope::generate
