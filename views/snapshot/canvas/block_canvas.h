#pragma once

#include "core/session/job_runner.h"
#include "views/common/plots/plot_canvas.h"
#include "views/snapshot/canvas/block_colours.h"
#include "views/snapshot/canvas/event_window.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QImage>

#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Content of the canvas for a window; made on a worker.
struct BlockFrame {
    std::shared_ptr<const LoadedSnapshot> snapshot;
    std::shared_ptr<const BlockPicture> picture;
    QImage image;
    std::vector<TotalExtremes> allocated, reserved;  ///< By column.
};

/// Blocks over their lives as bands at their height, with the totals over them, exact at every zoom. With Alt the
/// wheel, and with Shift W and S, zoom in bytes; a plain drag marks events; a click selects the block and the event; a
/// double click shows the block's life. Pictures are made on workers: until one is there the last one is shown where
/// its part of the history is now. Of the selected block the first and the last use are marked, and parts of its life
/// without any are hatched. GUI thread.
class BlockCanvas : public PlotCanvas {
    Q_OBJECT
public:
    /// All must outlive the canvas.
    BlockCanvas(Session& session, EventWindow& window, SnapshotSelection& selection, QWidget* parent = nullptr);

    /// Null: nothing is shown.
    void setSnapshot(std::shared_ptr<const LoadedSnapshot> snapshot);
    void setColouring(BlockColouring colouring);
    /// The entries that lie within what is marked on the timeline: drawn as a band, or a line.
    void setTimelineEvents(std::optional<EventRange> events);
    bool busy() const { return m_slot.busy() || m_isStale || m_usesSlot.busy(); }
    /// Uses of the selected block, once they are found; nullopt: the history has none.
    const std::optional<BlockUses>& uses() const { return m_uses; }
    const BlockFrame& frame() const { return m_frame; }

    QRect plotRect() const override;
    /// The state at a pixel, as the picture shows it there; nullopt outside of the history.
    std::optional<EventNumber> eventAt(int x) const;
    BlockNumber blockAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) override;
    QSize sizeHint() const override { return {600, 320}; }

signals:
    void blockActivated(altiscope::BlockNumber block);
    void usesFound();

protected:
    void paintPicture(QPainter& painter) override;
    void paintOverlay(QPainter& painter) override;
    void layOut() override;
    void showAll() override;
    const ViewWindow* timeWindow() const override { return &m_window.events(); }
    void changeTime(const WindowChange& change) override { m_window.change(change); }
    PanTo beginPan() override;
    void showBox(const QRect& box) override;
    bool canMark() const override { return true; }
    bool hasHighBoxes() const override { return true; }
    bool handleKey(const QKeyEvent& event) override;
    void clickAt(const QPoint& at) override;
    void openAt(const QPoint& at) override;
    void mark(const QRect& box) override;
    void fillMenu(QMenu& menu, std::optional<QPoint> at) override;
    void wheelEvent(QWheelEvent* event) override;

private:
    void request();
    void paintAxes(QPainter& painter) const;
    void paintAnnotations(QPainter& painter, double from, double to) const;
    void paintLines(QPainter& painter) const;
    void paintMarks(QPainter& painter) const;
    void paintTimeline(QPainter& painter) const;
    void paintUses(QPainter& painter) const;
    void findUses();
    QRectF frameRect() const;
    double xOf(std::int64_t event) const;
    double yOf(std::int64_t bytes) const;
    std::int64_t bytesAt(int y) const;
    std::int64_t positionAt(int x) const;
    void showSelection();

    EventWindow& m_window;
    SnapshotSelection& m_selection;
    JobSlot m_slot;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    BlockColouring m_colouring = BlockColouring::Stack;
    std::optional<EventRange> m_timelineEvents;
    BlockFrame m_frame;
    bool m_isStale = false;  ///< Another picture is to be made once the present one is there.
    JobSlot m_usesSlot;
    std::optional<BlockUses> m_uses;  ///< The selected block's.
    QImage m_outline, m_idleness;
    bool m_hasOutline = false;
};

}  // namespace altiscope
