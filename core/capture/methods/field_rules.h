#pragma once

#include "core/capture/methods/method.h"

#include <string_view>

namespace altiscope::capture {

// Rules that more than one method has. Each adds its problem, or nothing.

void addError(SettingProblems& problems, std::string_view field, std::string_view code,
              MessageParameters parameters = {});
void addWarning(SettingProblems& problems, std::string_view field, std::string_view code,
                MessageParameters parameters = {});

/// The end must come after the start; the tool would silently record one step.
void checkSteps(const Settings& settings, std::string_view start, std::string_view end, SettingProblems& problems);
/// -1 stands for all ranks only where it stands alone.
void checkAllRanksAlone(const Settings& settings, std::string_view field, SettingProblems& problems);
/// Levels without counters of the AI core: the tool would silently record none. `none` is the metric's word for that.
void checkMetrics(const Settings& settings, std::string_view level, std::string_view metric, std::string_view none,
                  SettingProblems& problems);
/// Levels with counters of the AI core: MindSpore records a metric also where none was chosen, silently.
void checkNoMetrics(const Settings& settings, std::string_view level, std::string_view metric, std::string_view none,
                    SettingProblems& problems);
/// Only one of two lists may be set; the tool would silently drop the second, or end.
void checkExclusive(const Settings& settings, std::string_view first, std::string_view second,
                    SettingProblems& problems);
/// The level that records marks only needs marks.
void checkMarksOnly(const Settings& settings, std::string_view level, std::string_view none, SettingProblems& problems);
/// What makes a job slower or its results much larger.
void warnOfCosts(const Settings& settings, std::span<const std::string_view> flags, SettingProblems& problems);

}  // namespace altiscope::capture
