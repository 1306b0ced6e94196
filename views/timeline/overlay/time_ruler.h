#pragma once

#include "views/timeline/scene/timeline_scene.h"

#include <QWidget>

#include <cstddef>
#include <optional>

namespace altiscope {

/// The time axis above the canvas, in time since the start of the run. A drag marks a range, a double click shows the
/// whole run; on a mark it requests to edit the mark, and a right click requests its menu. GUI thread.
class TimeRuler : public QWidget {
    Q_OBJECT
public:
    explicit TimeRuler(TimelineScene& scene, QWidget* parent = nullptr);

    /// Draws the pointer's time; nullopt while the pointer is elsewhere.
    void setPointerX(std::optional<int> x);
    /// Gives up the drag, if there is one. @return Whether there was.
    bool cancelDrag();
    QSize sizeHint() const override;

signals:
    void pointerMoved(std::optional<int> x);
    void rangeDragged(int fromX, int toX, bool finished);
    void dragCancelled();
    void wheelTurned(QWheelEvent* event, int x);
    /// A mark by its index in TimelineScene::marks().
    void markOpened(std::size_t mark);
    void markMenuRequested(std::size_t mark, QPoint globalPos);

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void changeEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void applyLook();
    void paintFlag(QPainter& painter, const ShownMark& mark, const PixelScale& scale) const;
    QRectF flagOf(const ShownMark& mark, const PixelScale& scale, const QFontMetrics& metrics) const;
    std::optional<std::size_t> markAt(int x) const;
    /// The mark whose flag or bar is here.
    std::optional<std::size_t> flagAt(QPoint at) const;

    TimelineScene& m_scene;
    std::optional<int> m_pointerX;
    bool m_isOnFlag = false;  // the pointer's time would hide what it points at
    std::optional<int> m_pressedX;
    bool m_dragging = false;
};

}  // namespace altiscope
