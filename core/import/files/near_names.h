#pragma once

#include <string_view>

namespace altiscope::reader {

/// Whether `name` is `known` but for one place of at most two bytes that were changed, put in or lost. Of names below
/// four bytes: one changed byte.
bool isNearlyName(std::string_view name, std::string_view known);

}  // namespace altiscope::reader
