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
/// colours' legend. The wheel and W/S zoom, with Shift the wheel pans across, as do A/D and the arrows; a drag with
/// Ctrl or the middle button pans; a click chooses a link, Ctrl+arrows the one beside it, Enter requests it; Ctrl+0 and
/// a double click beside the links show all, Backspace goes back. What has no data is hatched. GUI thread; a picture
/// costs its pixels alone.
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
    QString tipAt(const QPoint& at) const;
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
    void showPrevious() override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void paintLinks(QPainter& painter, const QRect& plot);
    void paintNumbers(QPainter& painter, const QRect& plot);
    void paintAxes(QPainter& painter, const QRect& plot);
    void paintSums(QPainter& painter, const QRect& plot);
    void paintLegend(QPainter& painter, const QRect& plot);
    int labelStep(double cell, double needed) const;
    void chooseAt(const QPoint& at);
    void chooseBeside(int down, int across);

    std::shared_ptr<const LinkPicture> m_picture;
    std::vector<std::string> m_labels;
    std::optional<double> m_low, m_high;
    ColourRamp::Scale m_scale = ColourRamp::Scale::Linear;
    MatrixWindow m_window;
    QRect m_plot;  // of the present size, font and labels
    int m_labelWidth = 0;
    std::optional<Link> m_chosen;
    bool m_panning = false;
    std::optional<QPoint> m_pressedAt;
    QPoint m_pannedTo;
};

}  // namespace altiscope
