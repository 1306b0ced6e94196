#pragma once

#include "core/compare/comparison.h"

#include <string>
#include <string_view>

namespace altiscope {

/// Which part of a step changed, on which ranks, what made it, and what pays for it where it is more than the step
/// changed by; empty where nothing is known. Sentences in a language ("en", "zh_CN").
std::string changedPartsText(const Comparison& comparison, std::string_view language);

}  // namespace altiscope
