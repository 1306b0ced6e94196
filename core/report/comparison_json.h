#pragma once

#include "core/compare/comparison.h"

#include <cstddef>
#include <string>

namespace altiscope {

/// The object of core/report/README.md, one line.
std::string comparisonJson(const Comparison& comparison);

/// For people, in English: the sentence, then the greatest differences.
std::string comparisonText(const Comparison& comparison, std::size_t mostRows);

}  // namespace altiscope
