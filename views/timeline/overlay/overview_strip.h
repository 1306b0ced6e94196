#pragma once

#include "core/session/job_runner.h"
#include "views/timeline/picture/row_picture.h"
#include "views/timeline/scene/timeline_scene.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QImage>
#include <QTimer>
#include <QWidget>

#include <optional>

namespace altiscope {

/// The whole run in one strip: what each rank was doing, the visible window, and the selection. Dragging the window
/// moves it, dragging one of its edges changes it, dragging elsewhere shows what was dragged over, a click centres; a
/// click on a step at the upper edge limits all pages to it, a double click zooms to it, too. GUI thread.
class OverviewStrip : public QWidget {
    Q_OBJECT
public:
    OverviewStrip(TimelineScene& scene, TimelineSelection& selection, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    /// Marks parts of equal length of a range of the axis, as those in which something was found; none: no marks.
    void setHits(TimeRange range, std::vector<bool> marks);
    /// Gives up the drag, if there is one: the window is again what it was before. @return Whether there was.
    bool cancelDrag();
    bool idle() const { return !m_slot.busy() && !m_timer.isActive(); }

signals:
    void becameIdle();

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;

private:
    enum class Grip : unsigned char { None, Window, Begin, End, Span };

    void applyLook();
    void request();
    void paintPicture();
    Grip gripAt(int x) const;
    /// Height of the steps at the upper edge; 0 if there are none.
    int stepHeight() const;
    std::optional<ShownStep> stepAtPoint(QPoint at) const;
    PixelScale scale() const;

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    JobSlot m_slot;
    QTimer m_timer;  // gathers changes
    PictureResult m_result;
    std::vector<StepRank> m_ranks;  // of its rows
    TimeRange m_hitRange;
    std::vector<bool> m_hits;
    QImage m_image;
    bool m_dirty = true;
    TimeRange m_requested;
    std::vector<std::pair<std::shared_ptr<const SliceColours>, DurationNs>> m_requestedTraces;  // and where they lie

    Grip m_grip = Grip::None;
    int m_pressedX = 0;
    std::optional<ShownStep> m_pressedStep;
    bool m_moved = false;
    TimeRange m_pressedWindow;
};

}  // namespace altiscope
