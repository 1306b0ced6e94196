#pragma once

#include "views/common/plots/view_history.h"

#include <QPointF>
#include <QRectF>
#include <QSize>
#include <QSizeF>

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
    void zoomAt(const QPointF& pixel, double factor, HistoryMark mark);
    void panBy(double dx, double dy, HistoryMark mark) { panFrom(m_window.topLeft(), dx, dy, mark); }  ///< Pixels.
    /// Moves to so many pixels from an earlier upper left corner of window().
    void panFrom(const QPointF& corner, double dx, double dy, HistoryMark mark);
    /// Brings a cell into sight, and nearer if it is too small to be seen. @return Whether anything moved.
    bool showCell(double x, double y);
    void home();
    void undo() { apply(m_history.previous(shown())); }
    void redo() { apply(m_history.next(shown())); }

private:
    struct View {
        double left = 0, top = 0, zoom = 1;
        bool operator==(const View&) const = default;
    };
    View shown() const { return {m_window.left(), m_window.top(), m_zoom}; }
    void apply(View view);
    double largestZoom() const;

    QSizeF m_grid, m_cell{1, 1};  ///< Cell: of the whole grid in the plot.
    QSize m_plot;
    double m_zoom = 1;
    QRectF m_window;
    ViewHistory<View> m_history;
};

}  // namespace altiscope
