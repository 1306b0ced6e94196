#include "views/cluster/canvas/grid_window.h"

#include <algorithm>

namespace altiscope {

namespace {

// Pixels. Few ranks do not need all of a wide window.
constexpr double kWidestCell = 150, kHighestCell = 64, kWidestZoomed = 240;
constexpr double kWidestShape = 3.5, kHighestShape = 1.5;

}  // namespace

void GridWindow::setGrid(QSizeF grid, QSize plot) {
    m_grid = grid;
    m_history.clear();
    m_zoom = 1;
    setPlot(plot);
    apply({});
}

void GridWindow::setPlot(QSize plot) {
    m_plot = plot;
    if (m_grid.isEmpty() || plot.isEmpty()) return;
    double width = std::min(kWidestCell, plot.width() / m_grid.width()),
           height = std::min(kHighestCell, plot.height() / m_grid.height());
    width = std::min(width, height * kWidestShape);
    height = std::min(height, width * kHighestShape);
    m_cell = {width, height};
    apply(shown());
}

double GridWindow::largestZoom() const { return std::max(1.0, kWidestZoomed / m_cell.width()); }

void GridWindow::apply(View view) {
    if (m_grid.isEmpty() || m_plot.isEmpty()) return;
    m_zoom = std::clamp(view.zoom, 1.0, largestZoom());
    const double width = std::min(m_grid.width(), m_plot.width() / cellWidth()),
                 height = std::min(m_grid.height(), m_plot.height() / cellHeight());
    m_window = {std::clamp(view.left, 0.0, m_grid.width() - width), std::clamp(view.top, 0.0, m_grid.height() - height),
                width, height};
}

void GridWindow::zoomAt(const QPointF& pixel, double factor, HistoryMark mark) {
    m_history.remember(shown(), mark);
    const QPointF at = toGrid(pixel);
    const double zoom = std::clamp(m_zoom / factor, 1.0, largestZoom());
    apply({at.x() - pixel.x() / (m_cell.width() * zoom), at.y() - pixel.y() / (m_cell.height() * zoom), zoom});
}

void GridWindow::panFrom(const QPointF& corner, double dx, double dy, HistoryMark mark) {
    m_history.remember(shown(), mark);
    apply({corner.x() + dx / cellWidth(), corner.y() + dy / cellHeight(), m_zoom});
}

bool GridWindow::showCell(double x, double y) {
    constexpr double kSeen = 6;  // pixels
    const bool isLarge = cellHeight() >= kSeen && cellWidth() >= kSeen;
    if (m_window.contains(QRectF(x, y, 1, 1)) && (isLarge || m_zoom >= largestZoom())) return false;
    m_history.remember(shown(), HistoryMark::NewStep);
    const double zoom =
        isLarge ? m_zoom : std::max(m_zoom, 2 * kSeen / std::max(0.01, std::min(m_cell.width(), m_cell.height())));
    const double width = m_plot.width() / (m_cell.width() * zoom), height = m_plot.height() / (m_cell.height() * zoom);
    apply({x + 0.5 - width / 2, y + 0.5 - height / 2, zoom});
    return true;
}

void GridWindow::home() {
    m_history.remember(shown(), HistoryMark::NewStep);
    apply({});
}

}  // namespace altiscope
