#pragma once

#include "core/analysis/communication/link_picture.h"
#include "views/common/plots/view_history.h"

#include <QPointF>
#include <QSize>

namespace altiscope {

/// The part of a matrix in sight, and the way back to earlier ones. Cells keep their proportions at every zoom. Values
/// only.
class MatrixWindow {
public:
    /// Cells are at most this much wider than high: small matrices fill a wide plot, so that numbers fit into their
    /// cells.
    static constexpr double kWidest = 3;

    /// Shows all.
    void setSide(std::size_t side, QSize plot);
    /// Keeps the place in the upper left corner and the zoom.
    void setPlot(QSize plot);
    std::size_t side() const { return m_side; }
    /// Within the matrix; not larger than it.
    const LinkWindow& window() const { return m_window; }
    /// Pixels that the window takes of the plot; a matrix that is shown whole may leave some.
    QSizeF extent() const;
    double cellWidth() const { return m_cell * m_aspect; }
    double cellHeight() const { return m_cell; }
    bool atHome() const;

    /// Factors below 1 zoom in; the place at x, y (pixels of the plot) stays.
    void zoomAt(double x, double y, double factor, HistoryMark mark);
    void panBy(double dx, double dy, HistoryMark mark);  ///< Pixels.
    /// The upper left corner of window(), in cells.
    QPointF corner() const { return {m_window.left, m_window.top}; }
    /// Moves to so many pixels from an earlier corner().
    void panFrom(const QPointF& corner, double dx, double dy, HistoryMark mark);
    void showCell(std::size_t source, std::size_t target);
    void home();
    void undo() { apply(m_history.previous(shown())); }
    void redo() { apply(m_history.next(shown())); }

private:
    struct View {
        double left = 0, top = 0, cell = 1;
        bool operator==(const View&) const = default;
    };
    View shown() const { return {m_window.left, m_window.top, m_cell}; }
    void apply(View view);
    double homeCell() const;

    std::size_t m_side = 0;
    QSize m_plot;
    double m_aspect = 1, m_cell = 1;  // cell: pixels of height
    LinkWindow m_window;
    ViewHistory<View> m_history;
};

}  // namespace altiscope
