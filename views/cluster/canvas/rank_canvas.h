#pragma once

#include "views/cluster/canvas/grid_window.h"
#include "views/cluster/data/rank_grid.h"
#include "views/common/plots/colour_ramp.h"
#include "views/common/plots/plot_canvas.h"

#include <QString>

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <vector>

class QImage;
class QMenu;

namespace altiscope {

/// What a RankCanvas shows. Constant.
struct RankPicture {
    enum class State : unsigned char {
        Known,
        Unknown,  ///< Here, without a value.
        Outside,  ///< Of the filter of all pages.
        Absent,   ///< Not in the capture.
    };
    struct Cell {
        double value = 0;  ///< NaN unless its state is Known.
        State state = State::Unknown;
        bool isApart = false;     ///< Gets a mark.
        std::uint32_t group = 0;  ///< Cells of one frame have one number.
        QString name;             ///< "17"
    };
    RankGrid grid;
    std::vector<Cell> cells;  ///< As RankGrid::cells().
    bool hasFrames = false;
    double low = 0, high = 1;  ///< Ends of the colours.
    std::optional<double> median;
    bool isDifference = false;
    QString title;  ///< Of the legend.
    QString columnTitle, rowTitle;
    std::function<QString(double value)> valueText;
    std::function<QString(std::size_t cell)> tip;
};

/// Ranks as a grid of colours, with the colours' legend. A click chooses a cell, the arrows the one beside it, Enter
/// and a double click request it. Absent ranks are hatched. GUI thread; a picture costs its pixels alone.
class RankCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit RankCanvas(Session& session, QWidget* parent = nullptr);

    /// Null: nothing. What is in sight and chosen stays while the cells do.
    void setPicture(std::shared_ptr<const RankPicture> picture);
    const std::shared_ptr<const RankPicture>& picture() const { return m_picture; }
    ColourRamp ramp() const;

    void choose(std::optional<std::size_t> cell);
    std::optional<std::size_t> chosen() const { return m_chosen; }

    GridWindow& window() { return m_window; }
    QRect plotRect() const override { return m_plot; }
    /// Where a cell is painted; may lie outside of the plot.
    QRectF cellRect(std::size_t cell) const;
    std::optional<std::size_t> cellAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) override;
    QSize sizeHint() const override { return {600, 280}; }
    QSize minimumSizeHint() const override { return {200, 72}; }

signals:
    void cellChosen(std::size_t cell);
    void cellOpened(std::size_t cell);
    void menuOpens(QMenu* menu);

protected:
    void paintPicture(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    QRect focusRect() const override;
    void layOut() override;
    void showAll() override;
    bool isEmpty() const override { return m_picture == nullptr; }
    void zoomAt(const QPointF& at, double factor, HistoryMark mark) override;
    void panBy(double across, double down, HistoryMark mark) override;
    PanTo beginPan() override;
    void showPrevious() override;
    void showNext() override;
    bool hasHighBoxes() const override { return true; }
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override;
    void openAt(const QPoint& at) override;
    void fillMenu(QMenu& menu, std::optional<QPoint> at) override;

private:
    std::vector<std::size_t> cellsInSight() const;
    void paintCells(QPainter& painter, const std::vector<std::size_t>& cells);
    void paintMarks(QPainter& painter, const std::vector<std::size_t>& cells);
    void paintNumbers(QPainter& painter, const std::vector<std::size_t>& cells);
    void drawFrames(QImage& image, const std::vector<std::size_t>& cells) const;
    void paintNames(QPainter& painter);
    void paintLegend(QPainter& painter);
    QString rowName(std::size_t block, std::size_t row) const;
    void chooseBeside(int across, int down);

    std::shared_ptr<const RankPicture> m_picture;
    GridWindow m_window;
    QRect m_plot;  // of the present size, font and names
    std::optional<std::size_t> m_chosen;
};

}  // namespace altiscope
