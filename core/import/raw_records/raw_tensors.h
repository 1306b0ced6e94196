#pragma once

#include <array>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// The cells of a kernel's tensors as the text export joins them; empty: there is none.
/// @param bytes  Tensors one after the other as in tensor_info.
/// @return Shapes, types and formats of inputs, then of outputs. Source: FORMAT.md.
std::array<std::string, 6> rawTensorTexts(std::string_view bytes);

}  // namespace altiscope::reader
