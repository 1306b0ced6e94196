#pragma once

#include "core/compare/comparison.h"

#include <string>
#include <string_view>

namespace altiscope {

/// From this part of a step on a finding is high (FindingThresholds::highShare): an interval that holds no larger
/// change says that nothing of weight happened.
inline constexpr double kStepOfWeight = 0.05;

/// Which part of a step changed, on which ranks, what made it, and what pays for it where it is more than the step
/// changed by; empty where nothing is known. Sentences in a language ("en", "zh_CN").
std::string changedPartsText(const Comparison& comparison, std::string_view language);

}  // namespace altiscope
