#pragma once

#include "views/common/theme/theme.h"

#include <QBrush>
#include <QColor>

#include <array>
#include <cstddef>

namespace altiscope {

// Patterns and orders beside the colours of a theme, so that what they distinguish differs for everybody: for those too
// who see no red, green or blue. Any thread.

/// Pattern that is drawn with the colour of a meaning. Two meanings have different ones, or colours that are at least
/// 15 apart in CIELAB for all.
enum class MeaningPattern : unsigned char {
    Plain,
    Rising,    ///< Stripes from the lower left to the upper right, on the ground: free time.
    Falling,   ///< The other way: waits.
    Lines,     ///< Darker lines across the colour: overlapped time.
    Uprights,  ///< Darker lines from top to bottom: memory.
};
/// @param meaning  One of Theme::computing, communication, overlapped, free, host, memory, wait; others are plain.
MeaningPattern patternOf(QColor Theme::*meaning);
/// The colour of a meaning in its pattern, to fill shapes of any size. What is striped shows the ground between.
QBrush meaningBrush(const Theme& theme, QColor Theme::*meaning);

/// Places in Theme::hues of parts that stand beside each other in an order of their own: neighbours are at least 20
/// apart, the last and the first too.
inline constexpr std::array<std::size_t, Theme::kHues> kHuesBeside{2, 7, 13, 5,  6,  10, 9,  8,
                                                                   1, 0, 3,  12, 11, 4,  15, 14};
inline const QColor& hueBeside(const Theme& theme, std::size_t place) {
    return theme.hues[kHuesBeside[place % Theme::kHues]];
}

}  // namespace altiscope
