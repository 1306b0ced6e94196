#pragma once

#include "core/base/text/diagnostics.h"

#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// Diagnostics as the cache keeps them: one line of JSON.
std::string diagnosticsJson(const Diagnostics& diagnostics);
/// And back; nullopt if the text is something else, or its numbers are no values of their kinds.
std::optional<Diagnostics> diagnosticsOfJson(std::string_view text);

}  // namespace altiscope::reader
