#pragma once

#include "core/compare/comparison.h"
#include "core/query/results/row_part.h"

#include <string>

namespace altiscope {

/// The object of core/report/README.md, one line.
/// @param part  Of its list of differences; unless it is all, "lists" says how long that is.
std::string comparisonJson(const Comparison& comparison, ListPart part = {});

/// For people, in English: the sentence, then differences, the largest first, and as many kernels of the order.
std::string comparisonText(const Comparison& comparison, ListPart part);

}  // namespace altiscope
