#pragma once

#include "core/analysis/communication/collective_chart.h"
#include "views/common/plots/plot_canvas.h"
#include "views/common/plots/view_window.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;
class QScrollBar;

namespace altiscope {

/// When collectives ran, a row for each rank. The wheel and Up/Down scroll; a click selects, a double click or Enter
/// leads to the timeline; R and L align all ranks by the end and the begin of the selected one, Shift+0 puts them back.
/// GUI thread; a picture costs rows and pixels in sight.
class CollectiveCanvas : public PlotCanvas {
    Q_OBJECT
public:
    enum class Colours : unsigned char { Type, Wait };

    /// An item of the chart.
    struct Place {
        std::size_t row = 0;
        std::uint32_t item = 0;
        bool operator==(const Place&) const = default;
    };

    explicit CollectiveCanvas(Session& session, QWidget* parent = nullptr);

    /// @param labels  Of the rows. Null: nothing. The window stays as far as it lies within the new range.
    /// @param origin  From which times count, as on all pages.
    void setChart(std::shared_ptr<const CollectiveChart> chart, std::vector<QString> labels, TimeNs origin);
    const std::shared_ptr<const CollectiveChart>& chart() const { return m_chart; }
    /// The same rows in other words.
    void setLabels(std::vector<QString> labels);
    void setColours(Colours colours);
    /// Also brings it into sight.
    void select(std::optional<Place> place);
    std::optional<Place> selected() const { return m_selected; }
    /// These belong together: they are outlined too.
    void setPeers(std::vector<Place> peers);
    void showRow(std::size_t row);

    ViewWindow& window() { return m_window; }
    void showRange(TimeRange range);
    QRect plotRect() const override { return m_plot; }
    /// Where a row is drawn; may lie outside of the plot.
    QRect rowRect(std::size_t row) const;
    std::optional<Place> placeAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) override;
    QSize sizeHint() const override { return {600, 320}; }

signals:
    void selectedChanged();
    void opened(altiscope::CollectiveCanvas::Place place);
    /// All ranks of the selected one are to be drawn so that it begins (ends) at once; or again as they were.
    void alignmentWanted(altiscope::CollectiveChart::Edge edge);
    void alignmentUnwanted();
    void menuOpens(QMenu* menu, altiscope::CollectiveCanvas::Place place);

protected:
    void paintPicture(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void layOut() override;
    const ViewWindow* timeWindow() const override { return &m_window; }
    void changeTime(const WindowChange& change) override;
    bool scroll(QWheelEvent& event) override;
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override;
    void openAt(const QPoint& at) override;
    void fillMenu(QMenu& menu, std::optional<QPoint> at) override;

private:
    int rowHeight() const { return m_rowHeight; }
    std::size_t firstRow() const;
    std::size_t rowsInSight() const;
    QColor colourOf(std::size_t row, const CollectiveItem& item) const;
    QRect barRect(std::size_t row, std::size_t lane, const CollectiveChart::Bar& bar) const;
    std::optional<QRect> placeRect(const Place& place) const;
    void paintAxis(QPainter& painter, const QRect& plot);
    void paintRows(QPainter& painter, const QRect& plot);
    void paintLegend(QPainter& painter, const QRect& plot);
    void choose(std::optional<Place> place);
    void selectBeside(int by);
    QString itemTip(const Place& place, std::uint32_t count) const;

    std::shared_ptr<const CollectiveChart> m_chart;
    std::vector<QString> m_labels;
    TimeNs m_origin;
    Colours m_colours = Colours::Type;
    ViewWindow m_window;
    QRect m_plot;  // of the present size, font and labels
    int m_labelWidth = 0, m_rowHeight = 1;
    QScrollBar* m_scroll;
    std::optional<Place> m_selected;
    std::vector<Place> m_peers;
};

}  // namespace altiscope
