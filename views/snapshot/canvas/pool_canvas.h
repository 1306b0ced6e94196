#pragma once

#include "core/session/job_runner.h"
#include "views/snapshot/canvas/block_colours.h"
#include "views/snapshot/data/loaded_snapshot.h"
#include "views/snapshot/data/snapshot_selection.h"

#include <QAbstractScrollArea>

#include <memory>

namespace altiscope {

class Session;

/// The memory pool after an entry: each segment as a bar as long as its size, with its blocks in the colours of the
/// picture, and holes hatched. Ctrl and the wheel, or W/S, zoom, A/D pan, Ctrl+0 shows all; the arrows go from block to
/// block; a click selects. GUI thread; paints what is in sight.
class PoolCanvas : public QAbstractScrollArea {
    Q_OBJECT
public:
    PoolCanvas(SnapshotSelection& selection, QWidget* parent = nullptr);

    void setPool(std::shared_ptr<const LoadedSnapshot> snapshot, std::shared_ptr<const PoolState> pool);
    void setColouring(BlockColouring colouring);
    /// Index in PoolState::parts; nullopt: none is there.
    std::optional<std::size_t> partAt(const QPoint& at) const;
    QString tipAt(const QPoint& at) const;
    /// Scrolls to the segment of the selected block.
    void ensureSelected();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

private:
    int rowHeight() const;
    int labelWidth() const;
    double pixelsPerByte() const;
    void zoom(double factor, int x);
    void updateBars();
    void step(int direction);
    void paintSegment(QPainter& painter, const PoolSegment& segment, int top, const BlockColours& colours) const;

    SnapshotSelection& m_selection;
    std::shared_ptr<const LoadedSnapshot> m_snapshot;
    std::shared_ptr<const PoolState> m_pool;
    std::int64_t m_largest = 1;
    BlockColouring m_colouring = BlockColouring::Stack;
    double m_zoom = 1;
};

}  // namespace altiscope
