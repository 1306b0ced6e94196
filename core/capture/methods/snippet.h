#pragma once

#include "core/capture/methods/settings.h"

#include <string>

namespace altiscope::capture {

/// Python lines that record with the settings of mindspore-api; for the class Profiler up to 2.5 (with a
/// schedule since 2.4), for profiler.profile() later; as a callback of Model.train() where `program` counts steps or
/// epochs.
std::string profilerSnippet(const Settings& settings);

}  // namespace altiscope::capture
