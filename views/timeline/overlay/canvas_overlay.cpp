#include "views/timeline/overlay/canvas_overlay.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>
#include <QPainter>
#include <QPainterPath>

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

struct OverlayTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::CanvasOverlay)
};

constexpr int kPadding = 8;
/// Strong enough to be seen at once, and what lies below can still be read.
constexpr int kVeil = 160;
constexpr double kArrowLength = 8, kArrowHalfWidth = 3.5;

QColor withAlpha(QColor colour, int alpha) {
    colour.setAlpha(alpha);
    return colour;
}

/// A small sign with text; `anchor` is its top centre.
void paintPill(QPainter& painter, QPointF anchor, const QString& text, const CanvasLayout& layout, const QColor& fill,
               const QColor& ink) {
    const QFontMetricsF metrics(painter.font());
    const double width = metrics.horizontalAdvance(text) + 2 * kPadding, height = metrics.height() + 4;
    const double left = std::clamp(anchor.x() - width / 2, 2.0, std::max(2.0, layout.size().width() - width - 2));
    const QRectF area(left, anchor.y(), width, height);
    painter.setPen(Qt::NoPen);
    painter.setBrush(fill);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.drawRoundedRect(area, 3, 3);
    painter.setRenderHint(QPainter::Antialiasing, false);
    painter.setPen(ink);
    painter.drawText(area, Qt::AlignCenter, text);
}

void paintRange(QPainter& painter, TimeRange range, const CanvasLayout& layout, const Theme& theme) {
    const double left = layout.xOf(range.begin), right = layout.xOf(range.end);
    const QRectF area(left, 0, std::max(right - left, 1.0), layout.size().height());
    painter.fillRect(area, withAlpha(theme.accent, theme.dark ? 36 : 26));
    painter.setPen(QPen(theme.accent, 1));
    painter.drawLine(QPointF(left, 0), QPointF(left, area.bottom()));
    painter.drawLine(QPointF(right, 0), QPointF(right, area.bottom()));
    if (right < 0 || left > layout.size().width()) return;
    const double middle = (std::max(left, 0.0) + std::min(right, static_cast<double>(layout.size().width()))) / 2;
    paintPill(painter, QPointF(middle, 4), formatDuration(range.length()), layout, theme.accent, theme.background);
}

void paintVeil(QPainter& painter, const Veil& veil, const CanvasLayout& layout, const Theme& theme) {
    for (const TimeRange& range : veil.ranges) {
        const double left = std::max(layout.xOf(range.begin), 0.0),
                     right = std::min(layout.xOf(range.end), static_cast<double>(layout.size().width()));
        if (left < right)
            painter.fillRect(QRectF(left, veil.top, right - left, veil.bottom - veil.top),
                             withAlpha(theme.background, kVeil));
    }
}

void paintMark(QPainter& painter, const ShownMark& mark, const CanvasLayout& layout, const Theme& theme) {
    const double width = layout.size().width();
    const auto within = [width](double x) { return std::clamp(x, -2.0, width + 2.0); };
    const double left = within(layout.xOf(mark.range.begin)), right = within(layout.xOf(mark.range.end));
    if (right < 0 || left > width) return;
    const QColor colour = markColour(mark.hue, theme);
    if (!mark.range.empty())
        painter.fillRect(QRectF(left, 0, std::max(right - left, 1.0), layout.size().height()), withAlpha(colour, 22));
    painter.setPen(QPen(colour, 1));
    for (const double x : {left, right}) {
        if (x >= 0 && x <= width) painter.drawLine(QPointF(x, 0), QPointF(x, layout.size().height()));
    }
}

/// A bar at the lower edge of the lane wherever something was found. Around what is wide enough for a name a frame,
/// thick above: below it would cover the underscores of the name.
void paintHits(QPainter& painter, const CanvasOverlay::HitLane& hits, const CanvasLayout& layout, const Theme& theme) {
    constexpr double kBar = 3, kFramedFrom = 6;
    const QRectF& lane = hits.lane;
    if (lane.bottom() < 0 || lane.top() > layout.size().height()) return;
    const double bar = std::min(kBar, lane.height());
    for (const TimeRange& range : hits.ranges) {
        const double left = std::max(layout.xOf(range.begin), -2.0),
                     right = std::min(layout.xOf(range.end), layout.size().width() + 2.0);
        if (right < 0 || left > layout.size().width()) continue;
        const double width = std::max(right - left, 1.0);
        if (width < kFramedFrom || lane.height() < kFramedFrom) {
            painter.fillRect(QRectF(left, lane.bottom() - bar, width, bar), theme.error);
            continue;
        }
        painter.fillRect(QRectF(left, lane.top(), width, kBar - 1), theme.error);
        painter.fillRect(QRectF(left, lane.bottom() - 1, width, 1), theme.error);
        painter.fillRect(QRectF(left, lane.top(), 1, lane.height()), theme.error);
        painter.fillRect(QRectF(left + width - 1, lane.top(), 1, lane.height()), theme.error);
    }
}

/// Dashed, with a line through the canvas at either edge, which others are brought to, and a sign that names it.
void paintBase(QPainter& painter, const QRectF& base, const CanvasLayout& layout, const Theme& theme) {
    const double width = layout.size().width();
    painter.setBrush(Qt::NoBrush);
    for (const double x : {base.left(), base.right()}) {
        if (x < 0 || x > width) continue;
        painter.setPen(QPen(withAlpha(theme.accent, 150), 1, Qt::DotLine));
        painter.drawLine(QPointF(x, 0), QPointF(x, layout.size().height()));
    }
    const QRectF seen = base & QRectF(-4, base.top(), width + 8, base.height());
    if (seen.isEmpty()) return;
    QPen pen(theme.accent, 3, Qt::DashLine);
    pen.setJoinStyle(Qt::MiterJoin);
    painter.setPen(pen);
    painter.drawRect(seen.adjusted(0, -1, 0, 1));
    // Above the slice, below it if it is at the upper edge.
    const double height = QFontMetricsF(painter.font()).height() + 4;
    const double top = seen.top() - height - 3 >= 0 ? seen.top() - height - 3 : seen.bottom() + 3;
    paintPill(painter, QPointF(seen.center().x(), top), OverlayTexts::tr("Base"), layout, theme.accent,
              theme.background);
}

/// An outline. Around what is as thin as its line, as in a collapsed row, at a distance: else it would hide the slice.
void paintSelected(QPainter& painter, const QRectF& slice, const Theme& theme) {
    constexpr double kThin = 8, kNarrow = 4;
    painter.setBrush(Qt::NoBrush);
    const auto pen = [](const QColor& colour, double width) {
        QPen line(colour, width);
        line.setJoinStyle(Qt::MiterJoin);
        return line;
    };
    if (slice.height() >= kThin && slice.width() >= kNarrow) {
        painter.setPen(pen(theme.text, 2));
        return painter.drawRect(slice.adjusted(0, -1, 0, 1));
    }
    const double dx = slice.width() < kNarrow ? 2 : 0, dy = slice.height() < kThin ? 2 : 1;
    const QRectF around = slice.adjusted(-dx, -dy, dx, dy);
    // Other strips are right beside it.
    painter.setPen(pen(theme.background, 4));
    painter.drawRect(around);
    painter.setPen(pen(theme.text, 2));
    painter.drawRect(around);
}

void paintFlow(QPainter& painter, const FlowCurve& flow, const QColor& colour, const QColor& halo) {
    const double span = std::abs(flow.to.x() - flow.from.x());
    const double bend = std::clamp(span / 2, 12.0, 160.0);
    QPainterPath path(flow.from);
    path.cubicTo(flow.from + QPointF(bend, 0), flow.to - QPointF(bend, 0), flow.to);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(halo, 3.5));
    painter.drawPath(path);
    painter.setPen(QPen(colour, 1.6));
    painter.drawPath(path);
    const QPointF back = flow.to - QPointF(kArrowLength, 0);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF{flow.to, back - QPointF(0, kArrowHalfWidth), back + QPointF(0, kArrowHalfWidth)});
}

/// Where the hover box stands, and its heading as far as there is room.
struct HoverBox {
    QRectF area;
    QString heading;
    QFont headingFont;
};

HoverBox hoverBox(QPoint pointer, const HoverText& hover, const CanvasLayout& layout, const QFont& font) {
    HoverBox box{{}, {}, font};
    box.headingFont.setBold(true);
    const QFontMetricsF metrics(font), headMetrics(box.headingFont);
    const double most = std::max(120.0, layout.size().width() - 4.0 * kPadding);
    box.heading = headMetrics.elidedText(hover.heading, Qt::ElideMiddle, most);
    double width = headMetrics.horizontalAdvance(box.heading);
    for (const QString& line : hover.lines) width = std::max(width, metrics.horizontalAdvance(line));
    width = std::min(width, most) + 2 * kPadding;
    const double height = metrics.height() * static_cast<double>(hover.lines.size() + 1) + kPadding;
    // Below and right of the pointer; on its other side where that would leave the canvas.
    double x = pointer.x() + 14, y = pointer.y() + 18;
    if (x + width > layout.size().width()) x = std::max(2.0, pointer.x() - 10 - width);
    if (y + height > layout.size().height()) y = std::max(2.0, pointer.y() - 10 - height);
    box.area = QRectF(std::round(x) + 0.5, std::round(y) + 0.5, std::round(width), std::round(height));
    return box;
}

void paintHover(QPainter& painter, QPoint pointer, const HoverText& hover, const CanvasLayout& layout,
                const Theme& theme) {
    const QFont body = painter.font();
    const HoverBox box = hoverBox(pointer, hover, layout, body);
    painter.setPen(QPen(theme.muted, 1));
    painter.setBrush(theme.raised);
    painter.drawRoundedRect(box.area, 3, 3);
    painter.setPen(theme.text);
    const double lineHeight = QFontMetricsF(body).height();
    QRectF line(box.area.left() + kPadding, box.area.top() + kPadding / 2.0, box.area.width() - 2 * kPadding,
                lineHeight);
    // Underscores reach to the end of the line, and by a part of a pixel beyond it.
    constexpr int kFlags = static_cast<int>(Qt::AlignLeft | Qt::AlignVCenter) | Qt::TextDontClip;
    painter.setFont(box.headingFont);
    painter.drawText(line, kFlags, box.heading);
    painter.setFont(body);
    for (const QString& text : hover.lines) {
        line.translate(0, lineHeight);
        painter.drawText(line, kFlags, text);
    }
}

}  // namespace

QColor flowColour(std::string_view category, const Theme& theme) {
    const QColor& hue = theme.hueOf(category);
    // Slices have the hues themselves; lines are stronger.
    return theme.dark ? hue.lighter(145) : hue.darker(190);
}

QRegion hoverRegion(const CanvasOverlay& overlay, const CanvasLayout& layout, const QFont& font) {
    QRegion region;
    if (overlay.pointer) region += QRect(overlay.pointer->x() - 2, 0, 5, layout.size().height());
    if (overlay.hovered)
        region += overlay.hovered->toAlignedRect().adjusted(-2, -2, 2, 2) & QRect(QPoint(0, 0), layout.size());
    if (overlay.pointer && !overlay.hover.heading.isEmpty()) {
        region += hoverBox(*overlay.pointer, overlay.hover, layout, font).area.toAlignedRect().adjusted(-2, -2, 2, 2);
    }
    return region;
}

void paintOverlay(QPainter& painter, const CanvasOverlay& overlay, const CanvasLayout& layout, const Theme& theme) {
    if (!layout.ready()) return;
    for (const Veil& veil : overlay.outside) paintVeil(painter, veil, layout, theme);
    paintGaps(painter, overlay.gaps, theme);
    for (const CanvasOverlay::HitLane& lane : overlay.hits) paintHits(painter, lane, layout, theme);
    for (const ShownMark& mark : overlay.marks) paintMark(painter, mark, layout, theme);
    if (overlay.range) paintRange(painter, *overlay.range, layout, theme);
    if (overlay.tracks) {
        painter.setPen(QPen(theme.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(*overlay.tracks);
    }
    paintPeers(painter, overlay.peers, theme);
    painter.setRenderHint(QPainter::Antialiasing);
    for (const FlowCurve& flow : overlay.flows)
        paintFlow(painter, flow, flowColour(flow.category, theme), withAlpha(theme.background, 190));
    painter.setRenderHint(QPainter::Antialiasing, false);
    if (overlay.base) paintBase(painter, *overlay.base, layout, theme);
    paintArrows(painter, overlay.arrows, theme);
    if (overlay.selected) paintSelected(painter, *overlay.selected, theme);
    if (overlay.hovered) { painter.fillRect(*overlay.hovered, withAlpha(theme.dark ? Qt::white : Qt::black, 34)); }
    if (overlay.box) {
        painter.fillRect(*overlay.box, withAlpha(theme.accent, 40));
        painter.setPen(QPen(theme.accent, 1, Qt::DashLine));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(*overlay.box);
    }
    QString banner = overlay.banner;
    if (overlay.flowsCut) {
        const QString text =
            OverlayTexts::tr("More than %1 flows: only the first are drawn").arg(formatCount(kMaxCurves));
        banner = banner.isEmpty() ? text : banner + u'\n' + text;
    }
    if (!banner.isEmpty()) {
        double y = layout.size().height() -
                   (QFontMetricsF(painter.font()).height() + 8) * static_cast<double>(banner.count(u'\n') + 1);
        for (const QString& line : banner.split(u'\n')) {
            paintPill(painter, QPointF(layout.size().width() / 2.0, y), line, layout, theme.text, theme.background);
            y += QFontMetricsF(painter.font()).height() + 8;
        }
    }
    if (overlay.pointer) {
        painter.setPen(QPen(withAlpha(theme.text, 90), 1));
        painter.drawLine(overlay.pointer->x(), 0, overlay.pointer->x(), layout.size().height());
        if (!overlay.hover.heading.isEmpty()) paintHover(painter, *overlay.pointer, overlay.hover, layout, theme);
    }
}

}  // namespace altiscope
