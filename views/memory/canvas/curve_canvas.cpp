#include "views/memory/canvas/curve_canvas.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/common/theme/mark_colour.h"
#include "views/common/theme/theme.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

CurveCanvas::CurveCanvas(Session& session, CurveWindow& window, Values values, Axis axis, QWidget* parent)
    : PlotCanvas(session, parent), m_window(window), m_values(values), m_axis(axis) {
    connect(&window, &CurveWindow::changed, this, &CurveCanvas::layOut);
}

QSize CurveCanvas::sizeHint() const { return {400, fontMetrics().height() * (m_values == Values::Share ? 6 : 14)}; }

/// Length of the dashes of a line, in pixels.
static constexpr double kDash = 4;

void CurveCanvas::setLines(std::vector<CurveLine> lines) {
    m_lines = std::move(lines);
    m_fitted.reset();
    layOut();
}

void CurveCanvas::setShown(std::size_t line, bool shown) {
    if (std::exchange(m_lines[line].shown, shown) == shown) return;
    m_fitted.reset();
    layOut();
}

void CurveCanvas::setOverlay(CurveOverlay overlay) {
    m_overlay = std::move(overlay);
    update();
}

void CurveCanvas::setFromZero(bool fromZero) {
    const bool wasFitted = std::exchange(m_fitted, std::nullopt).has_value();
    if (std::exchange(m_fromZero, fromZero) != fromZero || wasFitted) layOut();
}

void CurveCanvas::fitValues(std::optional<std::pair<std::int64_t, std::int64_t>> values) {
    if (std::exchange(m_fitted, values) != values) layOut();
}

// --- places -------------------------------------------------------------------------------------------------------

QRect CurveCanvas::plotRect() const {
    const QFontMetrics metrics(scaledFont(font(), 0.9));
    const int left = metrics.horizontalAdvance(u"0,000 MiB"_s) + 12, line = metrics.height();
    const int top = m_axis == Axis::None ? 4 : line + 6, bottom = m_axis == Axis::None ? 4 : line + 8;
    return rect().adjusted(left, top, -12, -bottom);
}

std::optional<TimeNs> CurveCanvas::timeAt(int x) const {
    const QRect plot = plotRect();
    if (m_window.window().empty() || plot.width() <= 0) return std::nullopt;
    return PixelScale(m_window.window().range(), plot.width()).timeAt(x - plot.left());
}

std::optional<int> CurveCanvas::xOf(TimeNs time) const {
    const QRect plot = plotRect();
    const TimeRange range = m_window.window().range();
    if (m_window.window().empty() || plot.width() <= 0 || time < range.begin || time > range.end) return std::nullopt;
    return plot.left() + std::min(PixelScale(range, plot.width()).column(time), plot.width() - 1);
}

double CurveCanvas::ratioOf(std::int64_t value) const {
    return (static_cast<double>(value) - m_low) / (m_high - m_low);
}

int CurveCanvas::yOf(std::int64_t value) const {
    const QRect plot = plotRect();
    return plot.bottom() - static_cast<int>(std::lround(std::clamp(ratioOf(value), -1.0, 2.0) * (plot.height() - 1)));
}

void CurveCanvas::layOut() {
    m_envelopes.reset();
    drop();
}

void CurveCanvas::updateEnvelopes() {
    if (m_envelopes) return;
    const int columns = static_cast<int>(std::lround(plotRect().width() * devicePixelRatioF()));
    m_envelopes.emplace();
    if (m_window.window().empty() || columns <= 0) return;
    m_envelopes = curveEnvelopes(m_lines, m_window.window().range(), columns, m_window.data().end);
    if (!m_envelopes->all.any()) return;
    if (m_fitted) {
        const double low = static_cast<double>(m_fitted->first), high = static_cast<double>(m_fitted->second);
        const double around = std::max(1.0, (high - low) / 4);
        m_low = low - around;
        m_high = high + around;
        return;
    }
    m_low = static_cast<double>(m_envelopes->all.min);
    m_high = static_cast<double>(m_envelopes->all.max);
    if (m_values == Values::Share) m_high = std::max(m_high, static_cast<double>(kWholeShare) / 100);
    if (m_fromZero || m_values == Values::Share) m_low = std::min(m_low, 0.0);
    // Room above, so that the highest line is no border; some around a line that never changes.
    const double room = (m_high - m_low) * 0.05;
    m_high += room > 0 ? room : std::max(1.0, std::abs(m_high) * 0.05);
    if (!m_fromZero && m_low > 0) m_low -= room > 0 ? room : std::min(m_low, std::max(1.0, m_low * 0.05));
}

// --- painting -----------------------------------------------------------------------------------------------------

void CurveCanvas::paintPicture(QPainter& painter) {
    updateEnvelopes();
    paintAxes(painter);
    const double ratio = devicePixelRatioF();
    painter.save();
    painter.scale(1 / ratio, 1 / ratio);
    paintCurves(painter, ratio);
    painter.restore();
}

QString CurveCanvas::valueText(std::int64_t value) const {
    if (m_values == Values::Share) return formatPercent(static_cast<double>(value) / static_cast<double>(kWholeShare));
    return (value < 0 ? u"-"_s : QString()) + formatBytes(value < 0
                                                              ? std::uint64_t{0} - static_cast<std::uint64_t>(value)
                                                              : static_cast<std::uint64_t>(value));
}

QString CurveCanvas::placeText(TimeNs at) const {
    return m_axis == Axis::Nodes ? tr("Node %1").arg(at.value) : formatRelativeTime(at, m_window.origin());
}

void CurveCanvas::paintAxes(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    painter.fillRect(rect(), theme.background);
    painter.setFont(scaledFont(font(), 0.9));
    const QFontMetricsF metrics(painter.font());
    if (!m_envelopes->all.any() || plot.height() <= 0) {
        painter.setPen(theme.muted);
        painter.drawText(rect(), Qt::AlignCenter,
                         m_lines.empty() ? QString()
                                         : tr("Nothing to draw here: choose a curve, or show all (Ctrl+0)."));
        // Steps, marks and chosen moments have their place without curves, too.
        if (!m_window.window().empty() && plot.height() > 0) paintPlaces(painter);
        return;
    }
    // Steps that divide well: powers of two for bytes, of ten and their halves and fifths for shares.
    const double min = (m_high - m_low) / std::max(1.0, plot.height() / (metrics.height() * 2));
    double step = std::exp2(std::ceil(std::log2(std::max(1.0, min))));
    if (m_values == Values::Share)
        step = static_cast<double>(
            tickStep({static_cast<std::int64_t>(m_high - m_low) + 1}, plot.height(), metrics.height() * 1.6).value);
    const double first = std::ceil(m_low / step) * step;
    // By number: next to a huge value a step may be too small to change it.
    const int ticks =
        static_cast<int>(std::clamp((m_high - first) / step, -1.0, static_cast<double>(plot.height()))) + 1;
    for (int i = 0; i < ticks; ++i) {
        const double value = first + i * step;
        const auto rounded = static_cast<std::int64_t>(std::clamp(value, -9e18, 9e18));
        const int y = yOf(rounded);
        painter.setPen(theme.hairLine);
        painter.drawLine(plot.left(), y, plot.right(), y);
        painter.setPen(theme.muted);
        painter.drawText(QRectF(0, y - metrics.height() / 2, plot.left() - 6, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, valueText(rounded));
    }
    paintPlaces(painter);
}

/// The axis at the bottom.
void CurveCanvas::paintPlaces(QPainter& painter) {
    if (m_axis == Axis::None) return;
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    const QFontMetricsF metrics(painter.font());
    const TimeRange window = m_window.window().range();
    const TimeNs origin = m_window.origin();
    const DurationNs extent{std::max(std::abs((window.begin - origin).value), std::abs((window.end - origin).value))};
    const auto label = [&](TimeNs at, DurationNs tick) {
        return m_axis == Axis::Nodes ? QString::number(at.value) : formatAxisTime(at - origin, tick, extent);
    };
    DurationNs tick = tickStep(window.length(), plot.width(), 60);
    for (int i = 0; i < 2; ++i)
        tick = tickStep(window.length(), plot.width(),
                        std::max(metrics.horizontalAdvance(label(window.begin, tick)),
                                 metrics.horizontalAdvance(label(window.end, tick))) +
                            24);
    const PixelScale scale(window, plot.width());
    for (const TimeNs at : ticksWithin(window, origin, tick)) {
        if (m_axis == Axis::Nodes && at.value < 0) continue;  // a margin, no node
        const double x = plot.left() + std::floor(scale.x(at)) + 0.5;
        painter.setPen(theme.hairLine);
        painter.drawLine(QPointF(x, plot.bottom()), QPointF(x, plot.bottom() + 4));
        painter.setPen(theme.muted);
        const QString text = label(at, tick);
        const double width = metrics.horizontalAdvance(text);
        painter.drawText(QPointF(tickLabelLeft(x, width, this->width()), plot.bottom() + 5 + metrics.ascent()), text);
    }
    painter.setPen(theme.hairLine);
    painter.drawLine(plot.bottomLeft(), plot.bottomRight());
}

/// In pixels of the device, of which `ratio` are one of the widget's: a rectangle for each column, one for neighbours
/// that are alike.
void CurveCanvas::paintCurves(QPainter& painter, double ratio) {
    const Theme& theme = themeOf(palette());
    const QRect plot = plotRect();
    const auto left = static_cast<int>(std::lround(plot.left() * ratio)),
               bottom = static_cast<int>(std::lround((plot.bottom() + 1) * ratio)) - 1;
    const double height = (plot.height() - 1) * ratio;
    const int thickness = std::max(1, static_cast<int>(std::lround(1.5 * ratio)));
    const auto rowOf = [&](std::int64_t value) {
        return bottom - static_cast<int>(std::lround(std::clamp(ratioOf(value), 0.0, 1.0) * height));
    };
    std::vector<QRect> rectangles;
    for (std::size_t i = 0; i < m_envelopes->lines.size(); ++i) {
        const auto& columns = m_envelopes->lines[i];
        rectangles.clear();
        for (std::size_t column = 0; column < columns.size(); ++column) {
            if (!columns[column].any()) continue;
            // Fitted values leave out what lies beyond them.
            if (ratioOf(columns[column].min) > 1 || ratioOf(columns[column].max) < 0) continue;
            const int top = rowOf(columns[column].max), low = rowOf(columns[column].min);
            // Spikes stay: they may be one column wide.
            const bool isGap = static_cast<int>(static_cast<double>(column) / (kDash * ratio)) % 2 == 1;
            if (m_lines[i].isBase && isGap && top == low) continue;
            const QRect one(left + static_cast<int>(column), top, 1, std::max(thickness, low - top + thickness));
            if (!rectangles.empty() && rectangles.back().top() == one.top() &&
                rectangles.back().height() == one.height() && rectangles.back().right() + 1 == one.left()) {
                rectangles.back().setRight(one.right());
            } else {
                rectangles.push_back(one);
            }
        }
        painter.setPen(Qt::NoPen);
        painter.setBrush(markColour(m_lines[i].hue, theme));
        painter.drawRects(rectangles.data(), static_cast<int>(rectangles.size()));
    }
}

}  // namespace altiscope
