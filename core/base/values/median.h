#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace altiscope {

/// Middle value, of two middle ones the larger. Changes the order of the values. @pre not empty.
template <class Value>
Value upperMedian(std::vector<Value>& values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

/// Middle value; of two middle ones their mean. @pre not empty.
inline double median(std::vector<double> values) {
    const double upper = upperMedian(values);
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    return values.size() % 2 == 1 ? upper : (upper + *std::max_element(values.begin(), middle)) / 2;
}

}  // namespace altiscope
