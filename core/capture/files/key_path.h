#pragma once

#include <string_view>
#include <utility>

namespace altiscope::capture {

/// The first key of a path as "profiler.level.names", and the path below it; without one the latter is empty.
constexpr std::pair<std::string_view, std::string_view> splitKeyPath(std::string_view path) {
    const auto dot = path.find('.');
    if (dot == std::string_view::npos) return {path, {}};
    return {path.substr(0, dot), path.substr(dot + 1)};
}

}  // namespace altiscope::capture
