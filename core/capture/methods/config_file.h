#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/settings.h"

#include "core/base/values/result.h"

#include <string>

namespace altiscope::capture {

/// Puts the values of a configuration into the settings, and what is wrong with the file into `problems`: text that
/// is none of its
/// format, keys that make the tool end, keys that it ignores. Methods without a file have nothing to read.
void readConfigFile(const std::string& text, Settings& settings, SettingProblems& problems);

/// The configuration with the settings in it.
///
/// @param text  What the file holds; null for a new one, which then has all fields.
/// @return      Of an existing file everything else is as it was; fields that the user did not set and the file does
///              not have stay
///              away, but for those without which the tool does not start. Error as JsonDocument and YamlDocument.
Result<std::string> configText(const Settings& settings, const std::string* text);

}  // namespace altiscope::capture
