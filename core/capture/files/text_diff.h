#pragma once

#include <string>
#include <string_view>

namespace altiscope::capture {

/// Lines that differ, in unified format with three lines around each change, as `patch` takes it. Empty if nothing
/// differs.
/// @param name  Of the file, for the two lines at the top.
/// @note  O(changed lines squared) within 4 million steps; beyond, all lines between the first and the last change
///        are replaced.
std::string unifiedDiff(std::string_view before, std::string_view after, std::string_view name);

}  // namespace altiscope::capture
