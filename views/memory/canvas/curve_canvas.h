#pragma once

#include "views/common/plots/plot_canvas.h"
#include "views/memory/canvas/curve_overlay.h"
#include "views/memory/canvas/curve_window.h"
#include "views/memory/data/curve_envelopes.h"

#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// Curves of memory over time, or over the nodes of a graph, exact at every zoom. A plain drag marks a range; a click,
/// or comma and full stop, chooses a moment. GUI thread; a picture costs columns in sight alone.
class CurveCanvas : public PlotCanvas {
    Q_OBJECT
public:
    enum class Values : unsigned char { Bytes, Share };
    enum class Axis : unsigned char { Time, Nodes, None };

    /// Both must outlive the canvas.
    CurveCanvas(Session& session, CurveWindow& window, Values values, Axis axis, QWidget* parent = nullptr);

    void setLines(std::vector<CurveLine> lines);
    const std::vector<CurveLine>& lines() const { return m_lines; }
    void setShown(std::size_t line, bool shown);
    void setOverlay(CurveOverlay overlay);
    const CurveOverlay& overlay() const { return m_overlay; }
    /// Whether the vertical axis begins at 0 always.
    void setFromZero(bool fromZero);
    /// The vertical axis shows little more than these values, until it is changed or all is shown; nullopt: what is
    /// visible, as always.
    void fitValues(std::optional<std::pair<std::int64_t, std::int64_t>> values);
    void showAll() override;

    QRect plotRect() const override;
    /// The time of a pixel; nullopt while there is no axis.
    std::optional<TimeNs> timeAt(int x) const;
    /// Pixels from the left of the canvas; of the middle of the pixel column that holds the time.
    std::optional<int> xOf(TimeNs time) const;
    int yOf(std::int64_t value) const;
    QString tipAt(const QPoint& at) override;
    QSize sizeHint() const override;

signals:
    void momentChosen(altiscope::TimeNs at);
    void rangeMarked(altiscope::TimeRange range);
    void markedCleared();
    /// The menu is about to open; more can be put into it.
    void menuOpens(QMenu* menu, altiscope::TimeNs at);

protected:
    void paintPicture(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void layOut() override;
    const ViewWindow* timeWindow() const override { return &m_window.window(); }
    void changeTime(const WindowChange& change) override { m_window.change(change); }
    bool canMark() const override { return true; }
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override;
    void hoverAt(const QPoint& at, const QPoint& global) override;
    void mark(const QRect& box) override { emit rangeMarked(timesOf(box)); }
    void fillMenu(QMenu& menu, std::optional<QPoint> at) override;

private:
    void updateEnvelopes();
    void paintAxes(QPainter& painter);
    void paintPlaces(QPainter& painter);
    void paintCurves(QPainter& painter, double ratio);
    void paintSections(QPainter& painter);
    void paintPoints(QPainter& painter);
    void paintAllocation(QPainter& painter);
    void verticalLine(QPainter& painter, TimeNs at, const QPen& pen);
    QRect band(TimeRange range) const;
    double ratioOf(std::int64_t value) const;
    QString valueText(std::int64_t value) const;
    QString placeText(TimeNs at) const;

    CurveWindow& m_window;
    Values m_values;
    Axis m_axis;
    std::vector<CurveLine> m_lines;
    CurveOverlay m_overlay;
    bool m_fromZero = true;
    std::optional<std::pair<std::int64_t, std::int64_t>> m_fitted;
    std::optional<CurveEnvelopes> m_envelopes;
    double m_low = 0, m_high = 1;  // ends of the vertical axis, of what is drawn
};

}  // namespace altiscope
