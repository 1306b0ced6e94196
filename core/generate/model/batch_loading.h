#pragma once

#include "core/generate/model/program_builder.h"
#include "core/generate/model/trained_model.h"

#include <cstdint>
#include <vector>

namespace altiscope::generate {

/// Writes how the main thread takes a batch from the workers that load data and brings its tensors to the device.
/// @param blocks  Gets the blocks of the tensors there, which the caller releases.
void loadBatch(ProgramBuilder& builder, const std::vector<BatchTensor>& batch, std::vector<std::uint32_t>& blocks);

}  // namespace altiscope::generate
