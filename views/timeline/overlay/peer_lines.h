#pragma once

#include <QPointF>
#include <QRectF>

#include <cstdint>
#include <vector>

class QPainter;

namespace altiscope {

class CanvasLayout;
class TimelineScene;
struct PeerResult;
struct Theme;

/// A collective on the ranks in sight, in logical pixels of the canvas.
struct PeerLines {
    std::vector<QRectF> slices;  ///< As far as they are in sight; several in one pixel of one row are one.
    /// Along their begins from row to row, and from the nearest ones above and below the canvas; likewise.
    std::vector<QPointF> begins;
};

/// O(peers).
PeerLines peerLines(const CanvasLayout& layout, const TimelineScene& scene, std::uint32_t source,
                    const PeerResult& result);

void paintPeers(QPainter& painter, const PeerLines& peers, const Theme& theme);

}  // namespace altiscope
