#pragma once

#include "views/common/theme/theme.h"

namespace altiscope {

/// The colour of a mark's lines and flag on all pages. `hue` is Mark::colour.
inline QColor markColour(std::size_t hue, const Theme& theme) {
    const QColor& colour = theme.hues[hue % Theme::kHues];
    return theme.dark ? colour.lighter(130) : colour.darker(160);
}

}  // namespace altiscope
