#pragma once

#include "core/capture/methods/settings.h"

#include <string>

namespace altiscope::capture {

/// Python lines that record with the settings of mindspore-api; for the class Profiler in 2.3, for profiler.profile()
/// later.
std::string profilerSnippet(const Settings& settings);

}  // namespace altiscope::capture
