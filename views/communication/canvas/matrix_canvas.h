#pragma once

#include "core/analysis/communication/link_picture.h"
#include "views/common/plots/colour_ramp.h"
#include "views/common/plots/plot_canvas.h"
#include "views/communication/canvas/matrix_window.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QMenu;

namespace altiscope {

/// Links between ranks as a heat map, sources downwards and destinations across, with sums along two borders and the
/// colours' legend. A click chooses a link, Ctrl+arrows the one beside it, Enter and a double click request it. What
/// has no data is hatched. GUI thread; a picture costs its pixels alone.
class MatrixCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit MatrixCanvas(Session& session, QWidget* parent = nullptr);

    /// Null: nothing. The window stays while the number of nodes does.
    void setPicture(std::shared_ptr<const LinkPicture> picture);
    const std::shared_ptr<const LinkPicture>& picture() const { return m_picture; }
    /// Ends of the colours in the metric's own unit; nullopt: those of the values.
    void setColours(std::optional<double> low, std::optional<double> high, ColourRamp::Scale scale);
    ColourRamp ramp() const;

    struct Link {
        std::uint32_t source = 0, target = 0;
        bool operator==(const Link&) const = default;
    };
    void choose(std::optional<Link> link);
    std::optional<Link> chosen() const { return m_chosen; }

    MatrixWindow& window() { return m_window; }
    QRect plotRect() const override { return m_plot; }
    /// Where a link is painted; may lie outside of the plot.
    QRectF cellRect(const Link& link) const;
    /// The link that a pixel stands for; nullopt: none there.
    std::optional<LinkSum> linkAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) override;
    QSize sizeHint() const override { return {600, 320}; }

signals:
    void linkChosen(altiscope::MatrixCanvas::Link link);
    /// The chosen link is to be shown in the timeline.
    void linkOpened(altiscope::MatrixCanvas::Link link);
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
    void paintLinks(QPainter& painter, const QRect& plot);
    void paintNumbers(QPainter& painter, const QRect& plot);
    void paintAxes(QPainter& painter, const QRect& plot);
    void paintSums(QPainter& painter, const QRect& plot);
    void paintLegend(QPainter& painter, const QRect& plot);
    int labelStep(double cell, double needed) const;
    void chooseBeside(int down, int across);

    std::shared_ptr<const LinkPicture> m_picture;
    std::vector<std::string> m_labels;
    std::optional<double> m_low, m_high;
    ColourRamp::Scale m_scale = ColourRamp::Scale::Linear;
    MatrixWindow m_window;
    QRect m_plot;  // of the present size, font and labels
    int m_labelWidth = 0;
    std::optional<Link> m_chosen;
};

}  // namespace altiscope
