#pragma once

#include "views/common/theme/mark_colour.h"
#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/overlay/edge_arrows.h"
#include "views/timeline/overlay/gap_marks.h"
#include "views/timeline/overlay/hover_text.h"
#include "views/timeline/overlay/peer_lines.h"
#include "views/timeline/overlay/veils.h"
#include "views/timeline/scene/shown_mark.h"

#include <QPoint>
#include <QRegion>
#include <QString>

#include <optional>
#include <vector>

class QFont;
class QPainter;

namespace altiscope {

/// Everything that is drawn above the picture and changes without it. Coordinates are logical pixels of the canvas.
struct CanvasOverlay {
    std::optional<QRectF> selected;  ///< The selected slice.
    std::vector<EdgeArrow> arrows;   ///< Where rows without anything in sight go on.
    std::optional<QRectF> base;      ///< The slice that others are aligned to.
    std::optional<QRectF> hovered;
    std::vector<FlowCurve> flows;
    bool flowsCut = false;      ///< There are more flows than are drawn.
    PeerLines peers;            ///< Lines of the selected collective.
    std::vector<Veil> outside;  ///< Parts that the context excludes: they step back.
    std::vector<ShownMark> marks;
    struct HitLane {
        QRectF lane;  ///< x does not matter.
        std::vector<TimeRange> ranges;
    };
    std::vector<HitLane> hits;       ///< Slices that were found.
    std::vector<GapMark> gaps;       ///< That a finding is about.
    std::optional<TimeRange> range;  ///< Marked, or being marked; on the axis.
    std::optional<QRectF> tracks;    ///< The chosen tracks within the range.
    std::optional<QRect> box;        ///< Being drawn to zoom into.
    std::optional<QPoint> pointer;
    HoverText hover;  ///< Shown beside the pointer.
    QString banner;   ///< Note on the whole picture, e.g. that it is not complete.
};

/// Region to be painted anew when the pointer moves: its line, the hovered slice and the box. Over a network a whole
/// canvas for every move of the mouse would be too much.
QRegion hoverRegion(const CanvasOverlay& overlay, const CanvasLayout& layout, const QFont& font);

/// Draws the overlay. Cost depends on what is in it, not on the trace.
void paintOverlay(QPainter& painter, const CanvasOverlay& overlay, const CanvasLayout& layout, const Theme& theme);

/// The colour of a flow's category that can be distinguished from slices and background.
QColor flowColour(std::string_view category, const Theme& theme);

}  // namespace altiscope
