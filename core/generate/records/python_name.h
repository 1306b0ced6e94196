#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/host_walk.h"

#include <string_view>

namespace altiscope::generate {

/// The name of a Python function as the profiler shows it.
/// @param name  Text of slice.name; the object's address and ">" follow where it ends with "0x".
void addPythonName(std::string_view name, const PythonSlice& slice, TextBuffer& out);

}  // namespace altiscope::generate
