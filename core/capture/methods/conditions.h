#pragma once

#include "core/capture/methods/settings.h"

#include <string>
#include <string_view>

namespace altiscope::capture {

/// Whether a condition of a field's row holds: parts joined by " and ", each "name" (it is on), "not name",
/// "name=VALUE",
/// "name!=VALUE" or "name has VALUE" (a list holds it), or several of these joined by " or ". An empty condition holds.
bool holds(std::string_view condition, const Settings& settings);

/// The same in words of people: "analyse is on", "activities has CPU and activities has NPU".
std::string conditionText(std::string_view condition, std::string_view language);

/// Whether one of the words in `words`, which are separated by spaces, is `word`.
bool hasWord(std::string_view words, std::string_view word);

}  // namespace altiscope::capture
