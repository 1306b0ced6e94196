#include "views/communication/canvas/matrix_window.h"

#include <algorithm>
#include <cmath>

namespace altiscope {

namespace {

constexpr double kLargestCell = 120;  // pixels of height
constexpr std::size_t kHistory = 100;

}  // namespace

void MatrixWindow::setSide(std::size_t side, QSize plot) {
    m_side = side;
    m_plot = plot;
    m_past.clear();
    setPlot(plot);
    home(false);
}

void MatrixWindow::setPlot(QSize plot) {
    const bool wasHome = atHome();
    m_plot = plot;
    if (m_side == 0 || plot.isEmpty()) return;
    m_aspect = std::clamp(static_cast<double>(plot.width()) / plot.height(), 1.0, kWidest);
    if (wasHome) return apply({0, 0, homeCell()});
    apply({m_window.left, m_window.top, m_cell});
}

double MatrixWindow::homeCell() const {
    const double side = static_cast<double>(std::max<std::size_t>(1, m_side));
    return std::min({kLargestCell, m_plot.width() / (side * m_aspect), m_plot.height() / side});
}

bool MatrixWindow::atHome() const { return m_past.empty() || m_cell <= homeCell(); }

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

void MatrixWindow::remember(bool newStep) {
    if (!newStep && !m_past.empty()) return;
    m_past.push_back({m_window.left, m_window.top, m_cell});
    if (m_past.size() > kHistory) m_past.erase(m_past.begin());
}

void MatrixWindow::zoomAt(double x, double y, double factor, bool newStep) {
    remember(newStep);
    const double column = m_window.left + x / cellWidth(), row = m_window.top + y / cellHeight();
    const double cell = std::clamp(m_cell / factor, std::min(homeCell(), kLargestCell), kLargestCell);
    apply({column - x / (cell * m_aspect), row - y / cell, cell});
}

void MatrixWindow::panBy(double dx, double dy, bool newStep) {
    remember(newStep);
    apply({m_window.left + dx / cellWidth(), m_window.top + dy / cellHeight(), m_cell});
}

void MatrixWindow::showCell(std::size_t source, std::size_t target) {
    const auto column = static_cast<double>(target), row = static_cast<double>(source);
    const bool inSight = column >= m_window.left && column + 1 <= m_window.left + m_window.width &&
                         row >= m_window.top && row + 1 <= m_window.top + m_window.height;
    // In sight, but too small to be seen: it is brought nearer.
    constexpr double kSeen = 6;
    if (inSight && m_cell >= kSeen) return;
    remember(true);
    m_cell = std::max(m_cell, std::min(kSeen * 2, kLargestCell));
    apply({column + 0.5 - m_plot.width() / cellWidth() / 2, row + 0.5 - m_plot.height() / cellHeight() / 2, m_cell});
}

void MatrixWindow::home(bool newStep) {
    if (newStep) remember(true);
    apply({0, 0, homeCell()});
}

void MatrixWindow::undo() {
    if (m_past.empty()) return;
    const View view = m_past.back();
    m_past.pop_back();
    apply(view);
}

}  // namespace altiscope
