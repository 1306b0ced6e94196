#include "views/communication/canvas/matrix_canvas.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"
#include "views/communication/data/link_texts.h"

#include <QImage>
#include <QPainter>
#include <QRegion>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kSumWidth = 76, kSumHeight = 36, kGap = 8, kLegendBar = 14;
constexpr double kLabelScale = 0.9;
/// Values are alike if the smallest is this share of the largest; their scale starts at this share of the largest or
/// below, so that chance does not look like a difference.
constexpr double kAlike = 0.75, kMinReach = 0.9;
/// Cells from this height and width on have lines between them.
constexpr double kLinedCell = 5;

/// Colour of cells without data: neither a colour of the ramp nor plain.
QBrush emptyBrush(const Theme& theme) { return {theme.hairLine, Qt::BDiagPattern}; }

/// Colour of cells without a bandwidth: grey, as no colour of the ramp is.
QColor smallColour(const Theme& theme) { return theme.hairLine; }

/// The link between the same ends in another matrix.
std::optional<MatrixCanvas::Link> sameLink(const LinkMatrix& from, const MatrixCanvas::Link& link,
                                           const LinkMatrix& to) {
    const auto place = [&](std::uint32_t node) -> std::optional<std::uint32_t> {
        const auto found = std::lower_bound(to.nodes().begin(), to.nodes().end(), from.nodes()[node]);
        if (found == to.nodes().end() || !(*found == from.nodes()[node])) return std::nullopt;
        return static_cast<std::uint32_t>(found - to.nodes().begin());
    };
    const auto source = place(link.source), target = place(link.target);
    return source && target ? std::optional(MatrixCanvas::Link{*source, *target}) : std::nullopt;
}

}  // namespace

MatrixCanvas::MatrixCanvas(Session& session, QWidget* parent) : PlotCanvas(session, parent) {}

void MatrixCanvas::setPicture(std::shared_ptr<const LinkPicture> picture) {
    // Another group of as many ranks has other ends at the same places.
    const bool isSame =
        m_picture != nullptr && picture != nullptr && m_picture->matrix().nodes() == picture->matrix().nodes();
    if (!isSame)
        m_chosen = m_chosen && m_picture != nullptr && picture != nullptr
                       ? sameLink(m_picture->matrix(), *m_chosen, picture->matrix())
                       : std::nullopt;
    m_picture = std::move(picture);
    m_labels = m_picture == nullptr ? std::vector<std::string>() : nodeLabels(m_picture->matrix());
    layOut();
    if (!isSame) m_window.setSide(m_labels.size(), plotRect().size());
    drop();
}

void MatrixCanvas::setColours(std::optional<double> low, std::optional<double> high, ColourRamp::Scale scale) {
    m_low = low;
    m_high = high;
    m_scale = scale;
    drop();
}

ColourRamp MatrixCanvas::ramp() const {
    if (m_picture == nullptr || !m_picture->min()) return {0, 1, ColourRamp::Scale::Linear};
    if (m_picture->isDifference()) {
        // As far to both sides, so that the neutral colour is no difference.
        const double reach = std::max(std::abs(*m_picture->min()), std::abs(*m_picture->max()));
        const double high = m_high ? std::abs(*m_high) : m_low ? std::abs(*m_low) : reach;
        return {-high, high, ColourRamp::Scale::Linear,
                themeOf(palette()).dark ? ColourRamp::Look::DivergingOnDark : ColourRamp::Look::DivergingOnLight};
    }
    const bool isLog = m_scale == ColourRamp::Scale::Logarithmic;
    // From 0 on, so that what is little looks little; a logarithmic scale has no 0. Where all values are alike their
    // differences would have one colour: then the scale begins near them, and the legend says so.
    const double max = *m_picture->max();
    const bool isAlike = *m_picture->min() > max * kAlike && m_picture->metric() != LinkMetric::Transport;
    const double min = isLog     ? m_picture->minPositive().value_or(*m_picture->min())
                       : isAlike ? std::min(*m_picture->min(), max * kMinReach)
                                 : std::min(0.0, *m_picture->min());
    return {m_low.value_or(min), m_high.value_or(*m_picture->max()), m_scale};
}

void MatrixCanvas::choose(std::optional<Link> link) {
    if (m_chosen == link) return;
    m_chosen = link;
    if (link && m_picture != nullptr) {
        const LinkWindow before = m_window.window();
        m_window.showCell(link->source, link->target);
        if (!(m_window.window() == before)) drop();
    }
    update();
}

// --- places -------------------------------------------------------------------------------------------------------

/// Requested with every cell and label, so it is reckoned once.
void MatrixCanvas::layOut() {
    const QFontMetrics metrics(scaledFont(font(), kLabelScale));
    int widest = metrics.horizontalAdvance(u"000"_s);
    // The last is the longest of ranks; of places in groups any may be.
    const std::size_t step = std::max<std::size_t>(1, m_labels.size() / 64);
    for (std::size_t i = 0; i < m_labels.size(); i += step)
        widest = std::max(widest, metrics.horizontalAdvance(toQString(m_labels[i])));
    if (!m_labels.empty()) widest = std::max(widest, metrics.horizontalAdvance(toQString(m_labels.back())));
    m_labelWidth = std::min(widest, width() / 5);
    const int line = metrics.height(), legend = kLegendBar + metrics.horizontalAdvance(u" 0.00 GB/s"_s) + kGap;
    m_plot = rect().adjusted(line + m_labelWidth + 2 * kGap, 2 * line + kGap, -(kSumWidth + legend + 2 * kGap),
                             -(kSumHeight + 4));
    m_window.setPlot(m_plot.size());
    drop();
}

QRectF MatrixCanvas::cellRect(const Link& link) const {
    const QRect plot = plotRect();
    const LinkWindow& window = m_window.window();
    return {plot.left() + (link.target - window.left) * m_window.cellWidth(),
            plot.top() + (link.source - window.top) * m_window.cellHeight(), m_window.cellWidth(),
            m_window.cellHeight()};
}

int MatrixCanvas::labelStep(double cell, double needed) const {
    for (int power = 1;; power *= 10) {
        for (const int digit : {1, 2, 5}) {
            if (cell * digit * power >= needed || power > 100'000'000) return digit * power;
        }
    }
}

// --- painting -----------------------------------------------------------------------------------------------------

/// Cells keep their proportions: they may be narrower than the plot.
QRect MatrixCanvas::focusRect() const { return QRectF(m_plot.topLeft(), m_window.extent()).toRect(); }

void MatrixCanvas::paintPicture(QPainter& painter) {
    painter.setFont(scaledFont(font(), kLabelScale));
    painter.fillRect(rect(), themeOf(palette()).background);
    const QRect plot = plotRect();
    if (m_picture == nullptr || m_labels.empty() || plot.width() <= 0 || plot.height() <= 0) return;
    paintLinks(painter, plot);
    paintNumbers(painter, plot);
    paintAxes(painter, plot);
    paintSums(painter, plot);
    paintLegend(painter, plot);
}

void MatrixCanvas::paintLinks(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const double ratio = devicePixelRatioF();
    const QSizeF extent = m_window.extent();
    const int columns = std::max(1, static_cast<int>(std::lround(extent.width() * ratio))),
              rows = std::max(1, static_cast<int>(std::lround(extent.height() * ratio)));
    const std::vector<float> values = m_picture->sample(m_window.window(), columns, rows);
    const ColourRamp colours = ramp();
    // A matrix without gaps is copied; otherwise what lies below shows through.
    const bool hasGaps = std::any_of(values.begin(), values.end(), [](float value) { return std::isnan(value); });
    QImage image(columns, rows, hasGaps ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    for (int y = 0; y < rows; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        const float* from = values.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(columns);
        const float* above = from - columns;
        if (y > 0 && std::memcmp(from, above, sizeof(float) * static_cast<std::size_t>(columns)) == 0) {
            std::copy_n(reinterpret_cast<const QRgb*>(image.constScanLine(y - 1)), columns, line);
            continue;
        }
        colours.paint({from, static_cast<std::size_t>(columns)}, line);
        for (int x = 0; m_picture->anyTooSmall() && x < columns; ++x) {
            if (from[x] == LinkPicture::kTooSmall) line[x] = smallColour(theme).rgb();
        }
    }
    const QRectF area(plot.topLeft(), extent);
    if (hasGaps) {
        painter.fillRect(area, theme.sunken);
        painter.fillRect(area, emptyBrush(theme));
    }
    painter.drawImage(plot.topLeft(), image);
    if (m_window.cellHeight() >= kLinedCell && m_window.cellWidth() >= kLinedCell) {
        painter.setPen(QPen(theme.background, 0));
        const LinkWindow& window = m_window.window();
        for (double column = std::ceil(window.left); column <= window.left + window.width; ++column) {
            const double x = plot.left() + (column - window.left) * m_window.cellWidth();
            painter.drawLine(QPointF(x, plot.top()), QPointF(x, plot.top() + extent.height()));
        }
        for (double row = std::ceil(window.top); row <= window.top + window.height; ++row) {
            const double y = plot.top() + (row - window.top) * m_window.cellHeight();
            painter.drawLine(QPointF(plot.left(), y), QPointF(plot.left() + extent.width(), y));
        }
    }
    painter.setPen(theme.hairLine);
    painter.drawRect(area.adjusted(-1, -1, 0, 0));
}

/// Values within cells, where they fit.
void MatrixCanvas::paintNumbers(QPainter& painter, const QRect& plot) {
    const QFontMetricsF metrics(painter.font());
    if (m_window.cellHeight() < metrics.height() + 2 ||
        m_window.cellWidth() < metrics.horizontalAdvance(u"00.0 GB/s"_s) + 4)
        return;
    const LinkWindow& window = m_window.window();
    const LinkMatrix& matrix = m_picture->matrix();
    const ColourRamp colours = ramp();
    painter.save();
    painter.setClipRect(QRectF(plot.topLeft(), m_window.extent()));
    for (auto source = static_cast<std::uint32_t>(window.top);
         source < std::min<double>(window.top + window.height, static_cast<double>(m_labels.size())); ++source) {
        for (auto target = static_cast<std::uint32_t>(window.left);
             target < std::min<double>(window.left + window.width, static_cast<double>(m_labels.size())); ++target) {
            const auto link = matrix.find(source, target);
            const auto value = link ? m_picture->value(*link) : std::nullopt;
            if (!value) continue;
            const bool isTooSmall =
                m_picture->metric() == LinkMetric::Bandwidth && !m_picture->isDifference() && matrix.isTooSmall(*link);
            painter.setPen(isTooSmall ? themeOf(palette()).muted : textOn(colours.colour(*value)));
            painter.drawText(cellRect({source, target}), Qt::AlignCenter,
                             m_picture->isDifference() ? differenceText(m_picture->metric(), *value)
                                                       : metricText(m_picture->metric(), *value, matrix));
        }
    }
    painter.restore();
}

void MatrixCanvas::paintAxes(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const LinkWindow& window = m_window.window();
    const QSizeF extent = m_window.extent();
    painter.setPen(theme.text);
    painter.drawText(QRectF(plot.left(), 2, std::max(extent.width(), 200.0), metrics.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, tr("To rank"));
    painter.save();
    painter.translate(2 + metrics.height() / 2, plot.top() + extent.height() / 2);
    painter.rotate(-90);
    painter.drawText(QRectF(-100, -metrics.height() / 2, 200, metrics.height()), Qt::AlignCenter, tr("From rank"));
    painter.restore();
    painter.setPen(theme.muted);
    const int across = labelStep(m_window.cellWidth(), m_labelWidth + 6.0),
              down = labelStep(m_window.cellHeight(), metrics.height());
    const auto firstOf = [](double begin, int step) {
        return static_cast<std::size_t>(std::ceil(begin / step)) * static_cast<std::size_t>(step);
    };
    for (std::size_t i = firstOf(window.left, across);
         i < m_labels.size() && static_cast<double>(i) < window.left + window.width;
         i += static_cast<std::size_t>(across)) {
        const double x = plot.left() + (static_cast<double>(i) + 0.5 - window.left) * m_window.cellWidth();
        painter.drawText(
            QRectF(x - m_labelWidth, plot.top() - metrics.height() - 3, 2.0 * m_labelWidth, metrics.height()),
            Qt::AlignCenter, toQString(m_labels[i]));
    }
    for (std::size_t i = firstOf(window.top, down);
         i < m_labels.size() && static_cast<double>(i) < window.top + window.height;
         i += static_cast<std::size_t>(down)) {
        const double y = plot.top() + (static_cast<double>(i) + 0.5 - window.top) * m_window.cellHeight();
        painter.drawText(
            QRectF(plot.left() - m_labelWidth - kGap, y - metrics.height() / 2, m_labelWidth + 2.0, metrics.height()),
            Qt::AlignRight | Qt::AlignVCenter, toQString(m_labels[i]));
    }
}

/// Bars along two borders: what is sent by each, and to each. Of neighbours that share a pixel the largest.
void MatrixCanvas::paintSums(QPainter& painter, const QRect& plot) {
    if (m_picture->metric() == LinkMetric::Transport) return;
    const Theme& theme = themeOf(palette());
    const LinkWindow& window = m_window.window();
    const QSizeF extent = m_window.extent();
    double max = 0;
    for (const auto* sums : {&m_picture->ofSources(), &m_picture->ofTargets()}) {
        for (const auto& sum : *sums) max = std::max(max, std::abs(sum.value_or(0)));
    }
    if (!(max > 0)) return;
    const auto bars = [&](const std::vector<std::optional<double>>& sums, double begin, double cell, double length,
                          auto paint) {
        const int pixels = static_cast<int>(length);
        if (cell >= 2) {
            for (auto i = static_cast<std::size_t>(begin);
                 i < sums.size() && (static_cast<double>(i) - begin) * cell < length; ++i) {
                const double from = std::max(0.0, (static_cast<double>(i) - begin) * cell),
                             to = std::min(length, (static_cast<double>(i) + 1 - begin) * cell);
                if (sums[i]) paint(from, to - from - (cell >= 4 ? 1 : 0), *sums[i] / max, *sums[i]);
            }
            return;
        }
        for (int pixel = 0; pixel < pixels; ++pixel) {
            double highest = 0;
            for (auto i = static_cast<std::size_t>(begin + pixel / cell);
                 i < std::min(sums.size(), static_cast<std::size_t>(std::ceil(begin + (pixel + 1) / cell))); ++i)
                if (std::abs(sums[i].value_or(0)) > std::abs(highest)) highest = *sums[i];
            if (highest != 0) paint(static_cast<double>(pixel), 1.0, highest / max, highest);
        }
    };
    // The colour says the direction of a difference.
    const auto look = ramp().look();
    const auto colourOfSum = [&](double share) {
        return m_picture->isDifference() ? QColor::fromRgb(ColourRamp::colourOf(share < 0 ? 0.1 : 0.9, look))
                                         : theme.communication;
    };
    const QFontMetricsF metrics(painter.font());
    const auto write = [&](const QRectF& bar, const QRectF& room, double sum) {
        // Most bars of many ranks are too narrow for any text.
        if (room.height() < metrics.height() || room.width() < metrics.averageCharWidth()) return;
        const QString text = m_picture->isDifference() ? differenceText(m_picture->metric(), sum)
                                                       : metricText(m_picture->metric(), sum, m_picture->matrix());
        if (room.width() < metrics.horizontalAdvance(text) + 2) return;
        const QRectF line(room.left(), room.center().y() - metrics.height() / 2, room.width(), metrics.height());
        if (bar.bottom() > line.top() && bar.bottom() < line.bottom()) {
            // The end of the bar would go through the letters.
            painter.fillRect(QRectF(line.left() + 1, line.top(), metrics.horizontalAdvance(text) + 4, line.height()),
                             theme.background);
            painter.setPen(theme.text);
            painter.drawText(line.adjusted(3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
            return;
        }
        // A short bar has only a part of it.
        const QRegion onBar(bar.toRect()), beyond = QRegion(room.toRect()) - onBar;
        for (const auto& [part, colour] : {std::pair(onBar, theme.label), std::pair(beyond, theme.text)}) {
            painter.setClipRegion(part);
            painter.setPen(colour);
            painter.drawText(room.adjusted(3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
        }
        painter.setClipping(false);
    };
    painter.save();
    const double right = plot.left() + extent.width() + kGap, below = plot.top() + extent.height() + 4;
    bars(m_picture->ofSources(), window.top, m_window.cellHeight(), extent.height(),
         [&](double at, double size, double share, double sum) {
             const QRectF room(right, plot.top() + at, kSumWidth - kGap, size);
             const QRectF bar(room.topLeft(), QSizeF(std::max(1.0, std::abs(share) * room.width()), size));
             painter.fillRect(bar, colourOfSum(share));
             write(bar, room, sum);
         });
    bars(m_picture->ofTargets(), window.left, m_window.cellWidth(), extent.width(),
         [&](double at, double size, double share, double sum) {
             const QRectF room(plot.left() + at, below, size, kSumHeight - 6);
             const QRectF bar(room.topLeft(), QSizeF(size, std::max(1.0, std::abs(share) * room.height())));
             painter.fillRect(bar, colourOfSum(share));
             write(bar, room, sum);
         });
    painter.restore();
    painter.setPen(theme.muted);
    painter.drawText(QRectF(right, plot.top() - painter.fontMetrics().height() - 3.0, kSumWidth + 40.0,
                            painter.fontMetrics().height()),
                     Qt::AlignLeft | Qt::TextDontClip,
                     m_picture->metric() == LinkMetric::Bandwidth ? tr("Overall") : tr("Sums"));
}

void MatrixCanvas::paintLegend(QPainter& painter, const QRect& plot) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const ColourRamp colours = ramp();
    const double left = plot.left() + m_window.extent().width() + kGap + kSumWidth + kGap;
    const LinkMatrix& matrix = m_picture->matrix();
    const LinkMetric metric = m_picture->metric();
    double y = plot.top();
    painter.setPen(theme.text);
    const bool isDifference = m_picture->isDifference();
    painter.drawText(QPointF(left, y - 3 - metrics.descent()), isDifference ? tr("Difference") : metricTitle(metric));
    if (metric == LinkMetric::Transport) {
        for (std::size_t i = 0; i < matrix.transports().size(); ++i) {
            painter.fillRect(QRectF(left, y, kLegendBar, metrics.height() - 3),
                             QColor::fromRgb(colours.colour(static_cast<double>(matrix.transports().size() - i))));
            painter.setPen(theme.muted);
            painter.drawText(QPointF(left + kLegendBar + 4, y + metrics.ascent() - 1),
                             matrix.transports()[i].empty() ? tr("not recorded") : toQString(matrix.transports()[i]));
            y += metrics.height() + 2;
        }
    } else if (m_picture->min()) {
        y += metrics.height() / 2;
        const double height = std::max(40.0, plot.height() - (m_picture->anyTooSmall() ? 5 : 4) * metrics.height());
        for (int i = 0; i < static_cast<int>(height); ++i)
            painter.fillRect(QRectF(left, y + i, kLegendBar, 1),
                             QColor::fromRgb(ColourRamp::colourOf(1 - i / height, colours.look())));
        const int ticks = std::clamp(static_cast<int>(height / (metrics.height() * 2)), 1, 5);
        painter.setPen(theme.muted);
        for (int i = 0; i <= ticks; ++i) {
            const double share = static_cast<double>(i) / ticks;
            painter.drawText(
                QRectF(left + kLegendBar + 4, y + (1 - share) * height - metrics.height() / 2, 100, metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter,
                isDifference ? differenceText(metric, colours.valueAt(share))
                             : metricText(metric, colours.valueAt(share), matrix));
        }
        y += height + metrics.height() / 2 + 2;
        // The colours say no shares of the largest then.
        if (!isDifference && metric != LinkMetric::Transport && colours.low() > 0) {
            painter.drawText(QPointF(left, y + metrics.ascent()), tr("not from 0"));
            y += metrics.height();
        }
    }
    if (m_picture->anyTooSmall()) {
        painter.fillRect(QRectF(left, y + 2, kLegendBar, metrics.height() - 3), smallColour(theme));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(left + kLegendBar + 4, y + 1 + metrics.ascent()), tr("too small"));
        y += metrics.height() + 2;
    }
    const QRectF sample(left, y + 2, kLegendBar, metrics.height() - 3);
    painter.fillRect(sample, theme.sunken);
    painter.fillRect(sample, emptyBrush(theme));
    painter.setPen(theme.muted);
    painter.drawText(QPointF(left + kLegendBar + 4, y + 1 + metrics.ascent()), tr("no data"));
}

void MatrixCanvas::paintOverlay(QPainter& painter) {
    if (!m_chosen || m_picture == nullptr) return;
    const QRect plot = plotRect();
    painter.setClipRect(QRectF(plot.topLeft(), m_window.extent()).adjusted(-2, -2, 2, 2));
    painter.setPen(QPen(themeOf(palette()).accent, 2));
    QRectF cell = cellRect(*m_chosen);
    // Something so small is ringed.
    constexpr double kSeen = 8;
    if (cell.width() < kSeen || cell.height() < kSeen)
        cell = QRectF(cell.center() - QPointF(kSeen, kSeen) / 2, QSizeF(kSeen, kSeen));
    painter.drawRect(cell);
}

}  // namespace altiscope
