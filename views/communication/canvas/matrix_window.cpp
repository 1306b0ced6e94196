#include "views/communication/canvas/matrix_window.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

constexpr double kLargestCell = 120;  // pixels of height

}  // namespace

void MatrixWindow::setSide(std::size_t side, QSize plot) {
    m_side = side;
    m_plot = plot;
    m_history.clear();
    setPlot(plot);
    apply({0, 0, homeCell()});
}

void MatrixWindow::setPlot(QSize plot) {
    const bool wasHome = atHome();
    m_plot = plot;
    if (m_side == 0 || plot.isEmpty()) return;
    m_aspect = std::clamp(static_cast<double>(plot.width()) / plot.height(), 1.0, kWidest);
    if (wasHome) return apply({0, 0, homeCell()});
    apply(shown());
}

double MatrixWindow::homeCell() const {
    const double side = static_cast<double>(std::max<std::size_t>(1, m_side));
    return std::min({kLargestCell, m_plot.width() / (side * m_aspect), m_plot.height() / side});
}

bool MatrixWindow::atHome() const { return !m_history.hasPast() || m_cell <= homeCell(); }

QSizeF MatrixWindow::extent() const { return {m_window.width * cellWidth(), m_window.height * cellHeight()}; }

void MatrixWindow::apply(View view) {
    if (m_side == 0 || m_plot.isEmpty()) return;
    m_cell = std::clamp(view.cell, std::min(homeCell(), kLargestCell), kLargestCell);
    const double side = static_cast<double>(m_side);
    m_window.width = std::min(side, m_plot.width() / cellWidth());
    m_window.height = std::min(side, m_plot.height() / cellHeight());
    m_window.left = std::clamp(view.left, 0.0, side - m_window.width);
    m_window.top = std::clamp(view.top, 0.0, side - m_window.height);
}

void MatrixWindow::zoomAt(double x, double y, double factor, HistoryMark mark) {
    m_history.remember(shown(), mark);
    const double column = m_window.left + x / cellWidth(), row = m_window.top + y / cellHeight();
    const double cell = std::clamp(m_cell / factor, std::min(homeCell(), kLargestCell), kLargestCell);
    apply({column - x / (cell * m_aspect), row - y / cell, cell});
}

void MatrixWindow::panBy(double dx, double dy, HistoryMark mark) { panFrom(corner(), dx, dy, mark); }

void MatrixWindow::panFrom(const QPointF& corner, double dx, double dy, HistoryMark mark) {
    m_history.remember(shown(), mark);
    apply({corner.x() + dx / cellWidth(), corner.y() + dy / cellHeight(), m_cell});
}

void MatrixWindow::showCell(std::size_t source, std::size_t target) {
    const auto column = static_cast<double>(target), row = static_cast<double>(source);
    const bool inSight = column >= m_window.left && column + 1 <= m_window.left + m_window.width &&
                         row >= m_window.top && row + 1 <= m_window.top + m_window.height;
    // In sight, but too small to be seen: it is brought nearer.
    constexpr double kSeen = 6;
    if (inSight && m_cell >= kSeen) return;
    m_history.remember(shown(), HistoryMark::NewStep);
    m_cell = std::max(m_cell, std::min(kSeen * 2, kLargestCell));
    apply({column + 0.5 - m_plot.width() / cellWidth() / 2, row + 0.5 - m_plot.height() / cellHeight() / 2, m_cell});
}

void MatrixWindow::home() {
    m_history.remember(shown(), HistoryMark::NewStep);
    apply({0, 0, homeCell()});
}

}  // namespace altiscope
