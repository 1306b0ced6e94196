#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

namespace altiscope {

/// The middle value, of an even count the upper one; `otherwise` of none. The values change their order. O(n).
inline std::int64_t upperMedian(std::vector<std::int64_t>& values, std::int64_t otherwise = 0) {
    if (values.empty()) return otherwise;
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

}  // namespace altiscope
