#pragma once

#include "views/common/plots/gesture_canvas.h"
#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/overlay/canvas_overlay.h"
#include "views/timeline/overlay/flow_layer.h"
#include "views/timeline/overlay/hit_marks.h"
#include "views/timeline/overlay/peer_loader.h"
#include "views/timeline/picture/picture_loader.h"
#include "views/timeline/scene/timeline_evidence.h"
#include "views/timeline/scene/timeline_keys.h"
#include "views/timeline/scene/timeline_selection.h"

#include <functional>
#include <optional>
#include <utility>

namespace altiscope {

/// The picture of the tracks with everything that mouse and keys do on it. GUI thread.
class TimelineCanvas : public GestureCanvas {
    Q_OBJECT
public:
    /// Both must outlive the canvas.
    TimelineCanvas(TimelineScene& scene, TimelineSelection& selection, QWidget* parent = nullptr);

    bool idle() const { return m_loader.exact() && m_flows.idle() && m_peers.idle(); }
    FlowLayer& flows() { return m_flows; }
    PeerLoader& peers() { return m_peers; }
    PictureLoader& loader() { return m_loader; }
    const PictureLoader& loader() const { return m_loader; }

    /// The slice that others are aligned to.
    void setBase(const std::optional<SelectedSlice>& base);
    const std::optional<SelectedSlice>& base() const { return m_base; }

    /// Does what a key requests. @return false if it is none of the canvas's keys.
    bool handleKey(const QKeyEvent& event) override;
    /// Does what a key would do.
    void perform(TimelineAction action);

    /// x of the pointer over the canvas or the ruler; nullopt when it has left. Draws the time line there.
    void setPointerX(std::optional<int> x);
    /// Slices that were found, to be marked.
    void setHits(std::vector<HitMark> hits);
    /// Gaps that a finding is about, to be marked.
    void setGaps(MarkedGaps gaps);
    /// The range that is being marked by a drag on the canvas or the ruler, given by two x; marked when finished.
    void dragRange(int fromX, int toX, bool finished);
    /// Nothing is dragged any more; what was marked before is shown again.
    void dropDrag();
    /// Wheel over any part of the page.
    void wheel(QWheelEvent* event, int x) { turnWheel(*event, QPointF(x, 0)); }

    /// Sets the mode that Escape leaves before it clears the selection. @param leave  Returns whether there was
    /// something to leave.
    void setLeavesFirst(std::function<bool()> leave) { m_leavesFirst = std::move(leave); }

signals:
    void becameIdle();
    void heightChanged();
    void pointerMoved(std::optional<int> x);
    /// The time at the pointer, on the axis, if it is above the canvas or ruler; and the source whose row is there.
    void markRequested(std::optional<altiscope::TimeNs> time, std::uint32_t source);
    void goToRequested();
    void filterTracksRequested();
    void showKeysRequested();
    void findRequested();
    void copyRequested();
    void peersRequested();
    /// One of the actions that concern where ranks are drawn.
    void clocksRequested(altiscope::ClockAction action);
    void clocksByHandRequested();
    void hitRequested(bool forward);
    /// The user has clicked a slice; has dragged a box or a range.
    void sliceClicked();
    void rangeDragged();
    /// A right click, or the menu key; `hit` says what it concerns.
    /// @param hit  nullopt: below the last row.
    void menuRequested(const std::optional<altiscope::CanvasHit>& hit, QPoint globalPosition);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void changeEvent(QEvent* event) override;
    bool event(QEvent* event) override;
    const ViewWindow* timeWindow() const override { return &m_scene.window(); }
    void changeTime(const WindowChange& change) override { m_scene.change(change); }
    bool isEmpty() const override { return !m_layout.ready(); }
    PanTo beginPan() override;
    bool canMark() const override { return true; }
    bool scroll(QWheelEvent& event) override;
    void clickAt(const QPoint& at) override;
    void openAt(const QPoint& at) override;
    void hoverAt(const QPoint& at, const QPoint& global) override;
    void mark(const QRect& box) override;
    void dragChanged() override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    /// Leaves what is in front of the selection, else a part of that. @return false if there is neither.
    bool clearOne();
    void applyLook();
    QFont overlayFont() const;  ///< Font of labels, hover box and signs.
    void updateOverlay();
    void markTracks(bool finished);
    void updateChosen();
    std::optional<QRectF> chosenArea() const;
    void dropHover();
    TimeRange rangeBetween(int fromX, int toX) const;
    std::uint32_t sourceAt(int y) const;

    TimelineScene& m_scene;
    TimelineSelection& m_selection;
    PictureLoader m_loader;
    CanvasLayout m_layout;
    FlowLayer m_flows;
    PeerLoader m_peers;
    CanvasOverlay m_overlay;
    std::vector<HitMark> m_hits;
    MarkedGaps m_gaps;
    std::optional<SelectedSlice> m_base;

    bool m_clickedSlice = false;  ///< By the click that may become a double click.
    std::optional<TimeRange> m_draggedRange;
    std::optional<RowSpan> m_draggedSpan;  ///< With m_draggedRange.
    std::optional<RowSpan> m_chosenSpan;   ///< Rows of TimelineSelection::tracks().
    std::function<bool()> m_leavesFirst;
    int m_wheelRest = 0;  // eighths of a degree below one logical pixel of scrolling
};

}  // namespace altiscope
