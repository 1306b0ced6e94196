#pragma once

#include <QRectF>

#include <cstddef>
#include <optional>
#include <vector>

class QPainter;
class QPoint;

namespace altiscope {

class PictureLoader;
class TimelineScene;
struct Theme;

/// At an edge of the canvas, in a row that shows nothing in the present window: there is something on that side.
struct EdgeArrow {
    std::size_t row = 0;   ///< In TimelineModel::rows().
    bool forward = false;  ///< At the right edge, to later times.
    QRectF area;           ///< That a click counts in.
};

/// Arrows of the rows in sight whose picture is known and empty. O(rows in sight + tracks of empty ones).
/// @param width  Of the canvas.
std::vector<EdgeArrow> edgeArrows(const TimelineScene& scene, const PictureLoader& loader, int width);

/// nullopt if there is none.
std::optional<EdgeArrow> arrowAt(const std::vector<EdgeArrow>& arrows, QPoint at);

void paintArrows(QPainter& painter, const std::vector<EdgeArrow>& arrows, const Theme& theme);

}  // namespace altiscope
