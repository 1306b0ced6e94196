#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::generate {

/// Numbers of a tensor in tensor_info: input or output, format, data type, 8 dimensions.
using RawTensor = std::array<std::uint32_t, 11>;

/// Adds the tensors that three lists of a summary file describe ("128,64;64", "FLOAT;FLOAT", "ND;ND"); none for "N/A".
/// Source: core/import/raw_records/FORMAT.md.
void addRawTensors(std::string_view shapes, std::string_view types, std::string_view formats, bool areOutputs,
                   std::vector<RawTensor>& tensors);

}  // namespace altiscope::generate
