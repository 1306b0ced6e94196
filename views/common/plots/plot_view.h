#pragma once

#include "views/common/plots/gesture_canvas.h"
#include "views/common/plots/plot_data.h"
#include "views/common/plots/view_history.h"

#include <memory>
#include <utility>
#include <variant>

class QCustomPlot;
class QRubberBand;

namespace altiscope {

class Session;

/// A plot in the style of the program. It is zoomed and moved along the bottom axis; hovering shows exact values; the
/// menu copies and saves the picture (PNG, SVG). Colours follow the theme. GUI thread; painting costs what is in sight,
/// at most two points a pixel.
class PlotView : public GestureCanvas {
    Q_OBJECT
public:
    /// The session knows where nothing may be written; it must outlive the plot.
    explicit PlotView(Session& session, QWidget* parent = nullptr);
    ~PlotView() override;

    void show(StackedBars bars);
    void show(EnvelopeLine line);
    void show(NumberLines lines);
    void show(HeatMap map);
    void show(Histogram histogram);
    void show(BoxPlot boxes);
    void showNothing(const QString& reason);
    /// Drawn over whatever is shown, until others are given.
    void setRanges(std::vector<PlotRange> ranges);
    QRect plotRect() const override;
    void showAll() override;
    void copyPicture();
    /// As PNG or SVG, by the ending of the name.
    /// @return Why there is none; empty if it was written.
    QString savePicture(const QString& file);

signals:
    /// A bar, point, box, interval or cell was clicked: its place (of a heat map the column), and the row of a heat
    /// map.
    void clicked(std::size_t place, std::size_t row);

protected:
    bool isEmpty() const override { return std::holds_alternative<std::monostate>(m_content); }
    void zoomAt(const QPointF& at, double factor, HistoryMark mark) override;
    void panBy(double across, double down, HistoryMark mark) override;
    PanTo beginPan() override;
    void showPrevious() override;
    void showNext() override;
    void clickAt(const QPoint& at) override;
    void hoverAt(const QPoint& at, const QPoint& global) override;
    void dragChanged() override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void setUp();
    void rebuild();
    void layOut();
    void buildContent();
    void applyStyle();
    void buildBars(const StackedBars& bars);
    void buildLine(const EnvelopeLine& line);
    void buildNumbers(const NumberLines& lines);
    QString numbersTip(const NumberLines& lines, double place) const;
    void buildHeat(const HeatMap& map);
    void buildHistogram(const Histogram& histogram);
    void buildBoxes(const BoxPlot& boxes);
    void buildRanges();
    QString rangesAt(double place, double reach) const;
    void setLabels(const QStringList& labels, const QString& title);
    void setValues(CellUnit unit, const QString& title);
    std::size_t pointCount() const;
    std::pair<double, double> wholeAxis() const;
    std::pair<std::size_t, std::size_t> inSight() const;
    using Ends = std::pair<double, double>;
    Ends shownAxis() const;
    void showAxis(const Ends& ends);
    void showNew();
    QString tipAt(const QPoint& at) const;

    Session& m_session;
    QCustomPlot* m_plot;
    std::variant<std::monostate, StackedBars, EnvelopeLine, NumberLines, HeatMap, Histogram, BoxPlot> m_content;
    QString m_nothing;
    std::vector<PlotRange> m_ranges;
    std::vector<std::pair<std::size_t, std::size_t>> m_folds;  ///< Items that each drawn bar or point stands for.
    ViewHistory<Ends> m_history;
    QRubberBand* m_dragBox;  ///< Over the plot, which would hide what is painted here.
    bool m_isStale = false;  ///< The library has painted older content.
};

}  // namespace altiscope
