#pragma once

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QSizeF>

#include <vector>

namespace altiscope {

/// The part of a grid of cells of 1 by 1 in sight, and the way back to earlier ones. Cells keep their proportions at
/// every zoom. Values only.
class GridWindow {
public:
    /// Shows all of a grid.
    void setGrid(QSizeF grid, QSize plot);
    /// Keeps the point in the upper left corner and the zoom.
    void setPlot(QSize plot);

    double cellWidth() const { return m_cell.width() * m_zoom; }  ///< Pixels.
    double cellHeight() const { return m_cell.height() * m_zoom; }
    /// What is in sight, in cells; within the grid.
    const QRectF& window() const { return m_window; }
    /// Pixels that it takes of the plot.
    QSizeF extent() const { return {m_window.width() * cellWidth(), m_window.height() * cellHeight()}; }
    bool showsAll() const { return m_zoom <= 1; }
    QPointF toPixels(double x, double y) const {
        return {(x - m_window.left()) * cellWidth(), (y - m_window.top()) * cellHeight()};
    }
    QPointF toGrid(const QPointF& pixel) const {
        return {m_window.left() + pixel.x() / cellWidth(), m_window.top() + pixel.y() / cellHeight()};
    }

    /// Factors below 1 zoom in; the place at x, y (pixels of the plot) stays.
    void zoomAt(const QPointF& pixel, double factor, bool newStep);
    void panBy(double dx, double dy, bool newStep);  ///< Pixels.
    /// Brings a cell into sight, and nearer if it is too small to be seen. @return Whether anything moved.
    bool showCell(double x, double y);
    void home(bool newStep);
    void undo();

private:
    struct View {
        double left = 0, top = 0, zoom = 1;
    };
    void apply(View view);
    void remember(bool newStep);
    double largestZoom() const;

    QSizeF m_grid, m_cell{1, 1};  ///< Cell: of the whole grid in the plot.
    QSize m_plot;
    double m_zoom = 1;
    QRectF m_window;
    std::vector<View> m_past;
};

}  // namespace altiscope
