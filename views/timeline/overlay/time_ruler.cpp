#include "views/timeline/overlay/time_ruler.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/timeline/overlay/canvas_overlay.h"

#include <QApplication>
#include <QHelpEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QToolTip>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <utility>

namespace altiscope {

namespace {

constexpr int kLabelGap = 20;
/// How far from the lower edge the bar of a range can be hit.
constexpr int kBarReach = 5;
/// Names of marks are cut beyond.
constexpr int kFlagWidth = 120;

/// Length of the longest label that a window can have with ticks this far apart.
double labelWidth(const QFontMetricsF& metrics, TimeRange window, TimeNs origin, DurationNs step, DurationNs extent) {
    return std::max(metrics.horizontalAdvance(formatAxisTime(window.begin - origin, step, extent)),
                    metrics.horizontalAdvance(formatAxisTime(window.end - origin, step, extent)));
}

DurationNs largerEnd(TimeRange window, TimeNs origin) {
    return {std::max(std::abs((window.begin - origin).value), std::abs((window.end - origin).value))};
}

}  // namespace

TimeRuler::TimeRuler(TimelineScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene) {
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&scene, &TimelineScene::windowChanged, this, qOverload<>(&QWidget::update));
    connect(&scene, &TimelineScene::rowsChanged, this, qOverload<>(&QWidget::update));
    connect(&scene, &TimelineScene::marksChanged, this, qOverload<>(&QWidget::update));
    applyLook();
}

QSize TimeRuler::sizeHint() const { return {200, static_cast<int>(std::ceil(QFontMetricsF(font()).height() * 1.6))}; }

void TimeRuler::applyLook() {
    setAccessibleName(tr("Time axis"));
    setToolTip(tr("Time since the start of the run. Drag to mark a range, double click to show the whole run. Double "
                  "click a mark to rename it."));
    updateGeometry();
    update();
}

void TimeRuler::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange ||
        event->type() == QEvent::PaletteChange)
        applyLook();
}

void TimeRuler::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Theme& theme = themeOf(palette());
    painter.fillRect(rect(), theme.sunken);
    painter.setPen(theme.hairLine);
    painter.drawLine(0, height() - 1, width(), height() - 1);
    const TimeRange window = m_scene.window().range();
    if (window.empty() || width() <= 0) return;

    painter.setFont(scaledFont(font(), 0.9));
    const QFontMetricsF metrics(painter.font());
    const TimeNs origin = m_scene.origin();
    const DurationNs extent = largerEnd(window, origin);
    // Longer labels need wider steps, and wider steps have shorter labels: twice is enough.
    DurationNs step = tickStep(window.length(), width(), 60);
    for (int i = 0; i < 2; ++i)
        step = tickStep(window.length(), width(), labelWidth(metrics, window, origin, step, extent) + kLabelGap);

    const PixelScale scale(window, width());
    const int parts = minorParts(step);
    painter.setPen(theme.hairLine);
    for (const TimeNs tick : ticksWithin(window, origin, {step.value / parts})) {
        const double x = std::floor(scale.x(tick)) + 0.5;
        painter.drawLine(QPointF(x, height() - 4), QPointF(x, height() - 1));
    }
    for (const TimeNs tick : ticksWithin(window, origin, step)) {
        const double x = std::floor(scale.x(tick)) + 0.5;
        painter.setPen(theme.muted);
        painter.drawLine(QPointF(x, height() / 2.0), QPointF(x, height() - 1));
        const QString label = formatAxisTime(tick - origin, step, extent);
        // One that is cut at the border reads as another time.
        if (x + 4 + metrics.horizontalAdvance(label) > width()) continue;
        painter.drawText(QPointF(x + 4, (height() + metrics.ascent() - metrics.descent()) / 2 - 1), label);
    }
    for (const ShownMark& mark : m_scene.marks()) paintFlag(painter, mark, scale);
    if (m_pointerX && !m_isOnFlag) {
        const QString text = formatRelativeTime(scale.timeAt(*m_pointerX), origin);
        const double textWidth = metrics.horizontalAdvance(text) + 12;
        const double left = std::clamp(*m_pointerX - textWidth / 2, 0.0, std::max(0.0, width() - textWidth));
        const QRectF area(left, 1, textWidth, height() - 3);
        painter.fillRect(area, theme.text);
        painter.setPen(theme.background);
        painter.drawText(area, Qt::AlignCenter, text);
    }
}

/// A flag with its name for a moment, a bar below for a range.
void TimeRuler::paintFlag(QPainter& painter, const ShownMark& mark, const PixelScale& scale) const {
    const Theme& theme = themeOf(palette());
    const QColor colour = markColour(mark.hue, theme);
    // Held near the widget: what lies millions of pixels away is not drawn at all.
    const auto within = [this](double x) { return std::clamp(x, -2.0 * kFlagWidth, width() + 2.0 * kFlagWidth); };
    const double left = within(scale.x(mark.range.begin)), right = within(scale.x(mark.range.end));
    if (right < -kFlagWidth || left > width()) return;
    if (!mark.range.empty()) painter.fillRect(QRectF(left, height() - 3, std::max(right - left, 2.0), 3), colour);
    const QRectF flag = flagOf(mark, scale, painter.fontMetrics());
    painter.fillRect(flag, colour);
    painter.setPen(theme.background);
    painter.drawText(flag, Qt::AlignCenter, painter.fontMetrics().elidedText(mark.name, Qt::ElideRight, kFlagWidth));
    painter.fillRect(QRectF(flag.left(), 0, 1, height()), colour);
}

/// The name of a range stays in sight while any of it does.
QRectF TimeRuler::flagOf(const ShownMark& mark, const PixelScale& scale, const QFontMetrics& metrics) const {
    double left = std::clamp(scale.x(mark.range.begin), -2.0 * kFlagWidth, width() + 2.0 * kFlagWidth);
    if (!mark.range.empty() && scale.x(mark.range.end) > 0) left = std::max(left, 0.0);
    return {
        left, 0,
        static_cast<double>(metrics.horizontalAdvance(metrics.elidedText(mark.name, Qt::ElideRight, kFlagWidth)) + 6),
        height() / 2.0 + 1};
}

std::optional<std::size_t> TimeRuler::flagAt(QPoint at) const {
    if (m_scene.window().empty()) return std::nullopt;
    const PixelScale scale(m_scene.window().range(), width());
    const QFontMetrics metrics(scaledFont(font(), 0.9));
    // The last one is drawn on top.
    for (std::size_t i = m_scene.marks().size(); i-- > 0;) {
        const ShownMark& mark = m_scene.marks()[i];
        if (flagOf(mark, scale, metrics).adjusted(-1, 0, 1, 0).contains(at)) return i;
        const bool isOnBar = !mark.range.empty() && at.y() >= height() - kBarReach;
        if (isOnBar && at.x() >= scale.x(mark.range.begin) &&
            at.x() <= std::max(scale.x(mark.range.end), scale.x(mark.range.begin) + 2))
            return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> TimeRuler::markAt(int x) const {
    if (m_scene.window().empty()) return std::nullopt;
    const PixelScale scale(m_scene.window().range(), width());
    const QFontMetrics metrics(scaledFont(font(), 0.9));
    for (std::size_t i = m_scene.marks().size(); i-- > 0;) {
        const ShownMark& mark = m_scene.marks()[i];
        const double left = scale.x(mark.range.begin);
        const double flag =
            left + metrics.horizontalAdvance(metrics.elidedText(mark.name, Qt::ElideRight, kFlagWidth)) + 6;
        if (x >= left - 1 && x <= std::max(flag, scale.x(mark.range.end))) return i;
    }
    return std::nullopt;
}

bool TimeRuler::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip) {
        const auto* help = static_cast<QHelpEvent*>(event);
        if (const auto place = markAt(help->pos().x())) {
            const ShownMark& mark = m_scene.marks()[*place];
            QStringList lines{mark.name, formatRelativeTime(mark.range.begin, m_scene.origin())};
            if (!mark.range.empty()) lines << formatDuration(mark.range.length());
            if (!mark.note.isEmpty()) lines << mark.note;
            QToolTip::showText(help->globalPos(), lines.join(u'\n'), this);
            return true;
        }
    }
    return QWidget::event(event);
}

void TimeRuler::setPointerX(std::optional<int> x) {
    if (x == m_pointerX) return;
    m_pointerX = x;
    update();
}

void TimeRuler::mousePressEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) m_pressedX = event->pos().x();
}

void TimeRuler::mouseMoveEvent(QMouseEvent* event) {
    const int x = event->pos().x();
    if (m_pressedX && std::abs(x - *m_pressedX) >= QApplication::startDragDistance()) m_dragging = true;
    if (m_dragging) emit rangeDragged(*m_pressedX, x, false);
    const bool isOnFlag = !m_dragging && flagAt(event->pos()).has_value();
    if (std::exchange(m_isOnFlag, isOnFlag) != isOnFlag) update();
    emit pointerMoved(x);
}

void TimeRuler::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragging && m_pressedX) emit rangeDragged(*m_pressedX, event->pos().x(), true);
    m_dragging = false;
    m_pressedX.reset();
}

bool TimeRuler::cancelDrag() {
    m_pressedX.reset();
    if (!std::exchange(m_dragging, false)) return false;
    emit dragCancelled();
    return true;
}

void TimeRuler::contextMenuEvent(QContextMenuEvent* event) {
    if (const auto mark = flagAt(event->pos())) emit markMenuRequested(*mark, event->globalPos());
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return;
    if (const auto mark = flagAt(event->pos())) return emit markOpened(*mark);
    m_scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

void TimeRuler::wheelEvent(QWheelEvent* event) { emit wheelTurned(event, static_cast<int>(event->position().x())); }

void TimeRuler::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    m_isOnFlag = false;
    emit pointerMoved(std::nullopt);
}

}  // namespace altiscope
