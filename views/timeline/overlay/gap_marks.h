#pragma once

#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/scene/timeline_evidence.h"

#include <QRectF>
#include <QString>

#include <vector>

class QPainter;

namespace altiscope {

struct Theme;

/// A gap in one row of the canvas, in its logical pixels.
struct GapMark {
    QRectF area;
    QString text;  ///< How long it is, in one of its rows; empty elsewhere.
};

/// The gaps in sight, in all rows of their rank that are in sight. O(rows in sight * gaps).
std::vector<GapMark> gapMarks(const CanvasLayout& layout, const TimelineScene& scene, const MarkedGaps& gaps);

/// Hatched, as free time is, between lines; the text as far as there is room.
void paintGaps(QPainter& painter, const std::vector<GapMark>& gaps, const Theme& theme);

}  // namespace altiscope
