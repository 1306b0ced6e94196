#pragma once

#include "core/base/text_buffer.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// The whole number that stands under a key of JSON without spaces, as arguments of slices are; nullopt: there is none.
std::optional<std::int64_t> numberInArguments(std::string_view json, std::string_view key);

/// JSON of one line with a space behind each comma and colon outside of texts, as Python writes it.
void addSpacedJson(TextBuffer& out, std::string_view json);

}  // namespace altiscope
