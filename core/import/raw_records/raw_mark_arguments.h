#pragma once

#include "core/store/raw/sample_records.h"

#include <string>

namespace altiscope::reader {

/// Arguments of a mark and of one on a stream, with the keys of the text export.
std::string rawMarkArguments(const MarkRecord& mark);
std::string rawStreamMarkArguments(const StreamMark& mark);

}  // namespace altiscope::reader
