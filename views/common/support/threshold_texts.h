#pragma once

#include "core/findings/thresholds.h"

#include <QString>

#include <optional>
#include <string_view>

namespace altiscope {

// Thresholds of the rules as people read and write them; pure functions of the GUI thread.

/// By its name; null if there is none.
const ThresholdInfo* findThreshold(std::string_view name);

/// Every digit, with a unit: "20 us", "5 %", "1 MiB", "18 GB/s".
QString thresholdText(const ThresholdInfo& info, double value);

/// Value of what thresholdText() and people write, with or without a unit (see
/// core/tables/filters/filter_expression.h); a number alone is in ns, bytes, bytes/ns or a share of 1. nullopt for what
/// is no such number, or one that no rule can work with: above 0, shares up to 1.
std::optional<double> thresholdValue(const ThresholdInfo& info, const QString& text);

/// Effect of it: a sentence, translated.
QString thresholdMeaning(const ThresholdInfo& info);

}  // namespace altiscope
