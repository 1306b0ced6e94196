#pragma once

#include "core/base/time.h"

namespace altiscope {

/// Whether something that lasts from its begin to its end lies in a range at least in part; an instant at the range's
/// begin does.
constexpr bool overlaps(TimeRange own, TimeRange range) {
    return own.begin < range.end && (range.begin < own.end || range.begin == own.begin);
}

}  // namespace altiscope
