#pragma once

#include "views/timeline/overlay/canvas_layout.h"

#include <QString>
#include <QStringList>

namespace altiscope {

/// Text of a hover box: a heading and some lines, ready to be drawn. Empty heading: nothing to say.
struct HoverText {
    QString heading;
    QStringList lines;
    bool operator==(const HoverText&) const = default;
};

/// Name, length, start since `origin` (on the axis), self time, the number of merged slices, and the collective that a
/// task is a part of; or the values of a counter.
HoverText hoverText(const CanvasHit& hit, TimeNs origin);

}  // namespace altiscope
