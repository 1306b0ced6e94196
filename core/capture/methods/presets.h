#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// Names of presets: "first-look", "communication", "memory", "operator-metrics", "light-marks".
std::span<const std::string_view> presetNames();

/// Values of a preset for a method, as the user would give them; only of fields that the method has. Nothing for an
/// empty or unknown name.
std::vector<Assignment> presetAssignments(const Method& method, std::string_view preset);

}  // namespace altiscope::capture
