#include "views/timeline/time_ruler.h"

#include "views/common/formatters.h"
#include "views/common/theme.h"
#include "views/timeline/time_axis.h"

#include <QApplication>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace altiscope {

namespace {

constexpr int kLabelGap = 20;

/// Length of the longest label that a window can have with ticks this far apart.
double labelWidth(const QFontMetricsF& metrics, TimeRange window, TimeNs origin, DurationNs step, DurationNs extent) {
    return std::max(metrics.horizontalAdvance(formatAxisTime(window.begin - origin, step, extent)),
                    metrics.horizontalAdvance(formatAxisTime(window.end - origin, step, extent)));
}

DurationNs largerEnd(TimeRange window, TimeNs origin) {
    return {std::max(std::abs((window.begin - origin).value), std::abs((window.end - origin).value))};
}

} // namespace

TimeRuler::TimeRuler(TimelineScene& scene, QWidget* parent) : QWidget(parent), m_scene(scene) {
    setMouseTracking(true);
    setAttribute(Qt::WA_OpaquePaintEvent);
    connect(&scene, &TimelineScene::windowChanged, this, qOverload<>(&QWidget::update));
    connect(&scene, &TimelineScene::rowsChanged, this, qOverload<>(&QWidget::update));
    applyLook();
}

QSize TimeRuler::sizeHint() const { return {200, static_cast<int>(std::ceil(QFontMetricsF(font()).height() * 1.6))}; }

void TimeRuler::applyLook() {
    setAccessibleName(tr("Time axis"));
    setToolTip(tr("Time since the start of the run. Drag to mark a range, double click to show everything."));
    updateGeometry();
    update();
}

void TimeRuler::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::LanguageChange || event->type() == QEvent::FontChange || event->type() == QEvent::PaletteChange) applyLook();
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
    for (int i = 0; i < 2; ++i) step = tickStep(window.length(), width(), labelWidth(metrics, window, origin, step, extent) + kLabelGap);

    const PixelScale scale(window, width());
    const int parts = minorParts(step);
    painter.setPen(theme.hairLine);
    for (const TimeNs tick : ticksWithin(window, origin, {step.value / parts})) {
        const double x = std::floor(scale.x(tick)) + 0.5;
        painter.drawLine(QPointF(x, height() - 4), QPointF(x, height() - 1));
    }
    // From one step before the window, so that a label that begins left of it is drawn in part.
    const TimeRange wider{{window.begin.value - step.value}, window.end};
    for (const TimeNs tick : ticksWithin(wider, origin, step)) {
        const double x = std::floor(scale.x(tick)) + 0.5;
        painter.setPen(theme.muted);
        painter.drawLine(QPointF(x, height() / 2.0), QPointF(x, height() - 1));
        painter.drawText(QPointF(x + 4, (height() + metrics.ascent() - metrics.descent()) / 2 - 1),
                         formatAxisTime(tick - origin, step, extent));
    }
    if (m_pointerX) {
        const QString text = formatRelativeTime(scale.timeAt(*m_pointerX), origin);
        const double textWidth = metrics.horizontalAdvance(text) + 12;
        const double left = std::clamp(*m_pointerX - textWidth / 2, 0.0, std::max(0.0, width() - textWidth));
        const QRectF area(left, 1, textWidth, height() - 3);
        painter.fillRect(area, theme.text);
        painter.setPen(theme.background);
        painter.drawText(area, Qt::AlignCenter, text);
    }
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
    emit pointerMoved(x);
}

void TimeRuler::mouseReleaseEvent(QMouseEvent* event) {
    if (m_dragging && m_pressedX) emit rangeDragged(*m_pressedX, event->pos().x(), true);
    m_dragging = false;
    m_pressedX.reset();
}

void TimeRuler::mouseDoubleClickEvent(QMouseEvent*) {
    m_scene.change([](ViewWindow& window) { window.show(window.home(), HistoryMark::NewStep); });
}

void TimeRuler::wheelEvent(QWheelEvent* event) { emit wheelTurned(event, static_cast<int>(event->position().x())); }

void TimeRuler::leaveEvent(QEvent* event) {
    QWidget::leaveEvent(event);
    emit pointerMoved(std::nullopt);
}

} // namespace altiscope
