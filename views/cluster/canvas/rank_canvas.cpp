#include "views/cluster/canvas/rank_canvas.h"

#include "views/common/support/formatters.h"
#include "views/common/theme/theme.h"

#include <QImage>
#include <QPainter>

#include <algorithm>
#include <cmath>
#include <utility>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

constexpr int kPadding = 8, kLegendBar = 14;
constexpr double kLabelScale = 0.9;
constexpr double kGapped = RankGrid::kGap / 2;  // cells
// Pixels. Cells from this size on have lines between them, a hatch that is seen, marks and frames.
constexpr double kLinedCell = 5, kMarkedCell = 9, kFramedCell = 4;

QBrush absentBrush(const Theme& theme) { return {theme.muted, Qt::BDiagPattern}; }

/// Kind and place of a block in a line: "dp 3, ep 1".
QString blockName(const RankGrid::Block& block) {
    QStringList parts;
    for (const auto& [kind, place] : block.at) parts << u"%1 %2"_s.arg(toQString(kind)).arg(place);
    return parts.join(u", "_s);
}

}  // namespace

RankCanvas::RankCanvas(Session& session, QWidget* parent) : PlotCanvas(session, parent) {}

void RankCanvas::setPicture(std::shared_ptr<const RankPicture> picture) {
    const auto sizeOf = [](const RankPicture* of) {
        return of == nullptr ? QSizeF() : QSizeF(of->grid.width(), of->grid.height());
    };
    const bool isSame = m_picture != nullptr && picture != nullptr &&
                        sizeOf(m_picture.get()) == sizeOf(picture.get()) &&
                        m_picture->cells.size() == picture->cells.size();
    if (!isSame) m_chosen.reset();
    m_picture = std::move(picture);
    layOut();
    if (!isSame) m_window.setGrid(sizeOf(m_picture.get()), m_plot.size());
    drop();
}

ColourRamp RankCanvas::ramp() const {
    if (m_picture == nullptr) return {0, 1, ColourRamp::Scale::Linear};
    const ColourRamp::Look look = !m_picture->isDifference  ? ColourRamp::Look::Sequential
                                  : themeOf(palette()).dark ? ColourRamp::Look::DivergingOnDark
                                                            : ColourRamp::Look::DivergingOnLight;
    return {m_picture->low, m_picture->high, ColourRamp::Scale::Linear, look};
}

void RankCanvas::choose(std::optional<std::size_t> cell) {
    if (m_chosen == cell || m_picture == nullptr) return;
    m_chosen = cell;
    if (cell && m_window.showCell(m_picture->grid.cells()[*cell].x, m_picture->grid.cells()[*cell].y)) drop();
    update();
}

// --- places -------------------------------------------------------------------------------------------------------

QString RankCanvas::rowName(std::size_t block, std::size_t row) const {
    const RankGrid& grid = m_picture->grid;
    QStringList parts;
    if (!grid.hasHeads() && grid.blocks().size() > 1) parts << blockName(grid.blocks()[block]);
    if (!grid.rowKind().empty()) parts << u"%1 %2"_s.arg(toQString(grid.rowKind())).arg(row);
    return parts.join(u", "_s);
}

void RankCanvas::layOut() {
    const QFontMetrics metrics(scaledFont(font(), kLabelScale));
    int names = 0;
    if (m_picture != nullptr && !m_picture->grid.blocks().empty()) {
        const std::size_t last = m_picture->grid.blocks().size() - 1;
        const auto lastRow = static_cast<std::size_t>(std::max(0.0, m_picture->grid.blockHeight() - 1));
        names = metrics.horizontalAdvance(rowName(last, lastRow));
    } else if (m_picture != nullptr && !m_picture->cells.empty()) {
        names = metrics.horizontalAdvance(m_picture->cells.back().name);
    }
    const int legend = kLegendBar + metrics.horizontalAdvance(u" 0,000 MHz "_s) + kPadding;
    m_plot = rect().adjusted(kPadding + names + (names > 0 ? kPadding : 0), metrics.height() + kPadding,
                             -(legend + 2 * kPadding), -kPadding);
    m_window.setPlot(m_plot.size());
    drop();
}

QRectF RankCanvas::cellRect(std::size_t cell) const {
    const RankGrid::Cell& at = m_picture->grid.cells()[cell];
    return {QPointF(m_plot.topLeft()) + m_window.toPixels(at.x, at.y),
            QSizeF(m_window.cellWidth(), m_window.cellHeight())};
}

std::optional<std::size_t> RankCanvas::cellAt(const QPoint& at) const {
    const QPointF inside = at - m_plot.topLeft();
    const QSizeF extent = m_window.extent();
    if (m_picture == nullptr || inside.x() < 0 || inside.y() < 0 || inside.x() >= extent.width() ||
        inside.y() >= extent.height())
        return std::nullopt;
    const QPointF place = m_window.toGrid(inside);
    return m_picture->grid.cellAt(place.x(), place.y());
}

QString RankCanvas::tipAt(const QPoint& at) {
    const auto cell = cellAt(at);
    return cell ? m_picture->tip(*cell) : QString();
}

std::vector<std::size_t> RankCanvas::cellsInSight() const {
    const QRectF& window = m_window.window();
    std::vector<std::size_t> cells;
    const auto& all = m_picture->grid.cells();
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (all[i].x + 1 > window.left() && all[i].x < window.right() && all[i].y + 1 > window.top() &&
            all[i].y < window.bottom())
            cells.push_back(i);
    }
    return cells;
}

// --- painting -----------------------------------------------------------------------------------------------------

QRect RankCanvas::focusRect() const { return QRectF(m_plot.topLeft(), m_window.extent()).toRect(); }

void RankCanvas::paintPicture(QPainter& painter) {
    painter.setFont(scaledFont(font(), kLabelScale));
    painter.fillRect(rect(), themeOf(palette()).background);
    if (m_picture == nullptr || m_picture->cells.empty() || m_plot.width() <= 0 || m_plot.height() <= 0) return;
    const std::vector<std::size_t> cells = cellsInSight();
    paintCells(painter, cells);
    painter.save();
    painter.setClipRect(QRectF(m_plot.topLeft(), m_window.extent()).adjusted(-1, -1, 1, 1));
    paintNumbers(painter, cells);
    paintMarks(painter, cells);
    painter.restore();
    paintNames(painter);
    paintLegend(painter);
}

/// All colours as one image, through which the hatch of absent ranks is seen.
void RankCanvas::paintCells(QPainter& painter, const std::vector<std::size_t>& cells) {
    const Theme& theme = themeOf(palette());
    const double ratio = devicePixelRatioF();
    const QSizeF extent = m_window.extent();
    const int width = std::max(1, static_cast<int>(std::ceil(extent.width() * ratio))),
              height = std::max(1, static_cast<int>(std::ceil(extent.height() * ratio)));
    const bool anyAbsent = std::any_of(cells.begin(), cells.end(), [this](std::size_t i) {
        return m_picture->cells[i].state == RankPicture::State::Absent;
    });
    // Without holes it is copied.
    QImage image(width, height, anyAbsent ? QImage::Format_ARGB32_Premultiplied : QImage::Format_RGB32);
    image.setDevicePixelRatio(ratio);
    image.fill(theme.background);
    const ColourRamp colours = ramp();
    const QRgb unknown = theme.sunken.rgb(), outside = theme.quiet.rgb();
    const int line = m_window.cellWidth() >= kLinedCell && m_window.cellHeight() >= kLinedCell
                         ? std::max(1, static_cast<int>(std::lround(ratio)))
                         : 0;
    for (const std::size_t i : cells) {
        const RankPicture::Cell& cell = m_picture->cells[i];
        const RankGrid::Cell& at = m_picture->grid.cells()[i];
        const QPointF from = m_window.toPixels(at.x, at.y) * ratio, to = m_window.toPixels(at.x + 1, at.y + 1) * ratio;
        const int left = std::clamp(static_cast<int>(std::lround(from.x())), 0, width),
                  top = std::clamp(static_cast<int>(std::lround(from.y())), 0, height),
                  right = std::clamp(static_cast<int>(std::lround(to.x())) - line, 0, width),
                  bottom = std::clamp(static_cast<int>(std::lround(to.y())) - line, 0, height);
        QRgb colour = unknown;
        switch (cell.state) {
        case RankPicture::State::Known: colour = colours.colour(cell.value); break;
        case RankPicture::State::Unknown: break;
        case RankPicture::State::Outside: colour = outside; break;
        case RankPicture::State::Absent: colour = 0; break;
        }
        for (int y = top; y < bottom; ++y) {
            auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
            std::fill(pixels + left, pixels + std::max(left, right), colour);
        }
    }
    drawFrames(image, cells);
    const QRectF area(m_plot.topLeft(), extent);
    if (anyAbsent) painter.fillRect(area, absentBrush(theme));
    painter.drawImage(m_plot.topLeft(), image);
}

/// A corner says that a value lies apart: colour alone does not.
void RankCanvas::paintMarks(QPainter& painter, const std::vector<std::size_t>& cells) {
    if (m_window.cellWidth() < kMarkedCell || m_window.cellHeight() < kMarkedCell) return;
    const double side = std::clamp(std::min(m_window.cellWidth(), m_window.cellHeight()) / 3, 4.0, 10.0);
    const ColourRamp colours = ramp();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    for (const std::size_t i : cells) {
        if (!m_picture->cells[i].isApart) continue;
        const QRectF cell = cellRect(i);
        const QPointF corner(cell.right() - 1, cell.top());
        painter.setBrush(textOn(colours.colour(m_picture->cells[i].value)));
        painter.drawPolygon(QPolygonF{corner, corner + QPointF(0, side), corner - QPointF(side, 0)});
    }
    painter.setRenderHint(QPainter::Antialiasing, false);
}

/// Names and values within cells, where they fit.
void RankCanvas::paintNumbers(QPainter& painter, const std::vector<std::size_t>& cells) {
    const QFontMetricsF metrics(painter.font());
    const bool hasNames = m_window.cellHeight() >= metrics.height() &&
                          m_window.cellWidth() >= metrics.horizontalAdvance(m_picture->cells.back().name) + 6;
    if (!hasNames) return;
    const bool hasValues = m_window.cellHeight() >= 2 * metrics.height() + 2 &&
                           m_window.cellWidth() >= metrics.horizontalAdvance(u"+000.0 ms"_s) + 6;
    const ColourRamp colours = ramp();
    const Theme& theme = themeOf(palette());
    for (const std::size_t i : cells) {
        const RankPicture::Cell& cell = m_picture->cells[i];
        const bool isKnown = cell.state == RankPicture::State::Known;
        painter.setPen(isKnown ? textOn(colours.colour(cell.value)) : theme.muted);
        QRectF room = cellRect(i).adjusted(3, 1, -3, -1);
        if (cell.state == RankPicture::State::Absent) {
            // Letters on a hatch are hard to read.
            const QRectF background(room.center().x() - metrics.horizontalAdvance(cell.name) / 2 - 2,
                                    room.center().y() - metrics.height() / 2, metrics.horizontalAdvance(cell.name) + 4,
                                    metrics.height());
            painter.fillRect(background, theme.background);
        }
        painter.drawText(room, Qt::AlignCenter,
                         hasValues && isKnown ? cell.name + u'\n' + m_picture->valueText(cell.value) : cell.name);
    }
}

/// Lines around groups, in the picture of the cells: there are thousands of them.
void RankCanvas::drawFrames(QImage& image, const std::vector<std::size_t>& cells) const {
    if (!m_picture->hasFrames || m_window.cellWidth() < kFramedCell || m_window.cellHeight() < kFramedCell) return;
    const double ratio = image.devicePixelRatio();
    const int thickness =
        std::max(1, static_cast<int>(std::lround((m_window.cellWidth() < kMarkedCell ? 1 : 2) * ratio)));
    const QRgb colour = themeOf(palette()).text.rgb();
    const auto differs = [&](std::size_t cell, double dx, double dy) {
        const RankGrid::Cell& at = m_picture->grid.cells()[cell];
        const auto beside = m_picture->grid.cellAt(at.x + 0.5 + dx, at.y + 0.5 + dy);
        // Over the gap between blocks nothing is beside it.
        const bool isBeside = beside && std::abs(m_picture->grid.cells()[*beside].x - at.x - dx) < kGapped &&
                              std::abs(m_picture->grid.cells()[*beside].y - at.y - dy) < kGapped;
        return !isBeside || m_picture->cells[*beside].group != m_picture->cells[cell].group;
    };
    const auto fill = [&](int left, int top, int right, int bottom) {
        right = std::min(right, image.width());
        left = std::clamp(left, 0, right);
        for (int y = std::max(0, top); y < std::min(bottom, image.height()); ++y) {
            auto* pixels = reinterpret_cast<QRgb*>(image.scanLine(y));
            std::fill(pixels + left, pixels + right, colour);
        }
    };
    for (const std::size_t i : cells) {
        const RankGrid::Cell& at = m_picture->grid.cells()[i];
        const QPointF from = m_window.toPixels(at.x, at.y) * ratio, to = m_window.toPixels(at.x + 1, at.y + 1) * ratio;
        const int left = static_cast<int>(std::lround(from.x())), top = static_cast<int>(std::lround(from.y())),
                  right = static_cast<int>(std::lround(to.x())), bottom = static_cast<int>(std::lround(to.y()));
        if (differs(i, -1, 0)) fill(left, top, left + thickness, bottom);
        if (differs(i, 1, 0)) fill(right - thickness, top, right, bottom);
        if (differs(i, 0, -1)) fill(left, top, right, top + thickness);
        if (differs(i, 0, 1)) fill(left, bottom - thickness, right, bottom);
    }
}

void RankCanvas::paintNames(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const RankGrid& grid = m_picture->grid;
    const QFontMetricsF metrics(painter.font());
    const QSizeF extent = m_window.extent();
    painter.setPen(theme.muted);
    painter.drawText(
        QRectF(m_plot.left(), m_plot.top() - metrics.height() - 3, std::max(extent.width(), 200.0), metrics.height()),
        Qt::AlignLeft | Qt::AlignVCenter, m_picture->columnTitle);
    // At the left, rows of the first column of blocks; without blocks the first rank of each row.
    double last = -metrics.height();
    const auto writeRow = [&](double y, const QString& name) {
        const double middle = m_plot.top() + m_window.toPixels(0, y).y() + m_window.cellHeight() / 2;
        if (middle < m_plot.top() || middle > m_plot.top() + extent.height() || middle < last + metrics.height())
            return;
        last = middle;
        painter.drawText(QRectF(0, middle - metrics.height() / 2, m_plot.left() - kPadding, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter, name);
    };
    if (grid.blocks().empty()) {
        for (std::size_t i = 0; i < grid.cells().size(); ++i)
            if (grid.cells()[i].x == 0) writeRow(grid.cells()[i].y, m_picture->cells[i].name);
        return;
    }
    for (std::size_t b = 0; b < grid.blocks().size(); ++b) {
        const RankGrid::Block& block = grid.blocks()[b];
        for (double row = 0; block.x == 0 && row < grid.blockHeight(); ++row)
            writeRow(block.y + row, rowName(b, static_cast<std::size_t>(row)));
    }
    if (!grid.hasHeads()) return;
    const double room = grid.blockWidth() * m_window.cellWidth();
    if (RankGrid::kHead * m_window.cellHeight() < metrics.height() - 3 ||
        room < metrics.horizontalAdvance(blockName(grid.blocks().back())))
        return;
    painter.save();
    painter.setClipRect(QRectF(m_plot.topLeft(), extent));
    for (const RankGrid::Block& block : grid.blocks()) {
        const QPointF at = QPointF(m_plot.topLeft()) + m_window.toPixels(block.x, block.y);
        painter.drawText(QRectF(at.x(), at.y() - metrics.height(), room, metrics.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, blockName(block));
    }
    painter.restore();
}

void RankCanvas::paintLegend(QPainter& painter) {
    const Theme& theme = themeOf(palette());
    const QFontMetricsF metrics(painter.font());
    const ColourRamp colours = ramp();
    const double left = m_plot.right() + 2 * kPadding;
    painter.setPen(theme.text);
    painter.drawText(QRectF(m_plot.left(), m_plot.top() - metrics.height() - 3, width() - m_plot.left() - kPadding,
                            metrics.height()),
                     Qt::AlignRight | Qt::AlignVCenter, m_picture->title);
    const auto has = [&](RankPicture::State state) {
        return std::any_of(m_picture->cells.begin(), m_picture->cells.end(),
                           [state](const RankPicture::Cell& cell) { return cell.state == state; });
    };
    std::vector<std::pair<RankPicture::State, QString>> samples;
    if (has(RankPicture::State::Unknown)) samples.emplace_back(RankPicture::State::Unknown, tr("not known"));
    if (has(RankPicture::State::Outside)) samples.emplace_back(RankPicture::State::Outside, tr("filtered"));
    if (has(RankPicture::State::Absent)) samples.emplace_back(RankPicture::State::Absent, tr("absent"));
    const double line = metrics.height() + 2;
    double y = m_plot.top() + metrics.height() / 2;
    if (has(RankPicture::State::Known)) {
        const double height =
            std::max(30.0, std::min(260.0, m_plot.bottom() - y - line * (static_cast<double>(samples.size()) + 0.5)));
        for (int i = 0; i < static_cast<int>(height); ++i)
            painter.fillRect(QRectF(left, y + i, kLegendBar, 1),
                             QColor::fromRgb(ColourRamp::colourOf(1 - i / height, colours.look())));
        const int ticks = std::clamp(static_cast<int>(height / (metrics.height() * 2)), 1, 4);
        painter.setPen(theme.muted);
        for (int i = 0; i <= ticks; ++i) {
            const double share = static_cast<double>(i) / ticks;
            painter.drawText(
                QRectF(left + kLegendBar + 4, y + (1 - share) * height - metrics.height() / 2, 100, metrics.height()),
                Qt::AlignLeft | Qt::AlignVCenter, m_picture->valueText(colours.valueAt(share)));
        }
        if (m_picture->median) {
            const double at = y + (1 - colours.share(*m_picture->median)) * height;
            painter.setPen(QPen(theme.text, 2));
            painter.drawLine(QPointF(left - 3, at), QPointF(left + kLegendBar + 2, at));
        }
        y += height + metrics.height() / 2 + 2;
    }
    for (const auto& [state, text] : samples) {
        const QRectF sample(left, y, kLegendBar, metrics.height() - 3);
        painter.fillRect(sample, state == RankPicture::State::Outside ? theme.quiet : theme.sunken);
        if (state == RankPicture::State::Absent) painter.fillRect(sample, absentBrush(theme));
        painter.setPen(theme.muted);
        painter.drawText(QPointF(left + kLegendBar + 4, y + metrics.ascent() - 1), text);
        y += line;
    }
}

void RankCanvas::paintOverlay(QPainter& painter) {
    if (!m_chosen || m_picture == nullptr) return;
    painter.setClipRect(QRectF(m_plot.topLeft(), m_window.extent()).adjusted(-2, -2, 2, 2));
    const Theme& theme = themeOf(palette());
    // Those that share a frame with it, wherever they are.
    if (m_picture->hasFrames) {
        painter.setPen(QPen(theme.accent, 1));
        for (const std::size_t i : cellsInSight()) {
            if (i != *m_chosen && m_picture->cells[i].group == m_picture->cells[*m_chosen].group)
                painter.drawRect(cellRect(i).adjusted(0, 0, -1, -1));
        }
    }
    QRectF cell = cellRect(*m_chosen);
    constexpr double kSeen = 8;
    if (cell.width() < kSeen || cell.height() < kSeen)
        cell = QRectF(cell.center() - QPointF(kSeen, kSeen) / 2, QSizeF(kSeen, kSeen));
    painter.setPen(QPen(theme.background, 4));
    painter.drawRect(cell);
    painter.setPen(QPen(theme.accent, 2));
    painter.drawRect(cell);
}

}  // namespace altiscope
