#pragma once

#include "views/cluster/data/pipeline_picture.h"
#include "views/common/plots/plot_canvas.h"
#include "views/common/plots/view_window.h"

#include <QString>
#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>

class QPointF;

namespace altiscope {

/// Passes of micro-batches along the time, a lane for each stage, with arrows to the stage that goes on with a
/// micro-batch. Wheel, W and S zoom, dragging, A and D pan, Ctrl+0 shows all, Backspace goes back; the arrows choose a
/// block, Enter and a double click request it. GUI thread; a picture costs the blocks of a step.
class PipelineCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit PipelineCanvas(Session& session, QWidget* parent = nullptr);

    /// Null: nothing. @param names  Of the lanes.
    void setPicture(std::shared_ptr<const PipelinePicture> picture, QStringList names);
    const std::shared_ptr<const PipelinePicture>& picture() const { return m_picture; }
    QRect plotRect() const override { return m_plot; }
    /// Where a block is painted; empty if it is out of sight.
    QRectF blockRect(std::uint32_t block) const;
    std::optional<std::uint32_t> blockAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) override;
    std::optional<std::uint32_t> chosen() const { return m_chosen; }
    ViewWindow& window() { return m_window; }
    QSize minimumSizeHint() const override { return {200, 72}; }

signals:
    void blockOpened(std::uint32_t block);

protected:
    void paintPicture(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void layOut() override;
    const ViewWindow* timeWindow() const override { return &m_window; }
    void changeTime(const WindowChange& change) override;
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override { choose(blockAt(at)); }
    void openAt(const QPoint& at) override;
    void fillMenu(QMenu& menu, std::optional<QPoint> at) override;

private:
    double laneHeight() const;
    double xOf(TimeNs time) const;
    void paintAxis(QPainter& painter);
    void paintArrows(QPainter& painter);
    void paintLegend(QPainter& painter);
    void chooseBeside(int along, int lanes);
    void choose(std::optional<std::uint32_t> block);

    std::shared_ptr<const PipelinePicture> m_picture;
    QStringList m_names;
    ViewWindow m_window;
    QRect m_plot;  // of the present size, font and names
    std::optional<std::uint32_t> m_chosen;
};

}  // namespace altiscope
