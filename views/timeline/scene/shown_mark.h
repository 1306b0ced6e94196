#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <QString>

#include <cstddef>
#include <cstdint>

namespace altiscope {

/// A mark of the user's, on the axis, or what another page shows.
struct ShownMark {
    /// No mark of the user's: it follows the other page.
    static constexpr std::size_t kElsewhere = static_cast<std::size_t>(-1);

    CaptureId capture;
    std::size_t place = 0;  ///< In Marks::of(capture), or kElsewhere.
    TimeRange range;        ///< Empty: a moment.
    std::size_t hue = 0;    ///< Index in Theme::hues.
    QString name, note;
};

}  // namespace altiscope
