#pragma once

#include "core/analysis/communication/link_picture.h"

#include <QSize>

#include <vector>

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
    void zoomAt(double x, double y, double factor, bool newStep);
    void panBy(double dx, double dy, bool newStep);  ///< Pixels.
    void showCell(std::size_t source, std::size_t target);
    void home(bool newStep);
    void undo();

private:
    struct View {
        double left = 0, top = 0, cell = 1;
    };
    void remember(bool newStep);
    void apply(View view);
    double homeCell() const;

    std::size_t m_side = 0;
    QSize m_plot;
    double m_aspect = 1, m_cell = 1;  // cell: pixels of height
    LinkWindow m_window;
    std::vector<View> m_past;
};

}  // namespace altiscope
