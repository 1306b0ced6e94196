#pragma once

#include "core/base/values/error.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// The sentence for a code in a language, with {name} replaced by the parameter of that name (unknown names stay).
///
/// @param code      Code of resources/i18n/catalogue.ini, which is built into the program.
/// @param language  "en" or "zh_CN"; anything else gives English.
/// @return  The sentence; for an unknown code the code itself, so that nothing is ever silent.
/// @note    Any thread, O(log codes).
std::string catalogueText(std::string_view code, std::string_view language, const MessageParameters& parameters = {});

/// The sentence for an error, with its file and place added as parameters {file} and {place}.
std::string errorText(const Error& error, std::string_view language);

/// All codes, sorted. For tests that hold the catalogue against the code.
std::vector<std::string> catalogueCodes();

}  // namespace altiscope
