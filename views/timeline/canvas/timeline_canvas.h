#pragma once

#include "views/timeline/overlay/canvas_layout.h"
#include "views/timeline/overlay/canvas_overlay.h"
#include "views/timeline/overlay/flow_layer.h"
#include "views/timeline/overlay/hit_marks.h"
#include "views/timeline/overlay/peer_loader.h"
#include "views/timeline/picture/picture_loader.h"
#include "views/timeline/scene/timeline_evidence.h"
#include "views/timeline/scene/timeline_keys.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QElapsedTimer>
#include <QWidget>

#include <functional>
#include <optional>
#include <utility>

namespace altiscope {

/// The picture of the tracks with everything that mouse and keys do on it. GUI thread.
class TimelineCanvas : public QWidget {
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
    bool takeKey(const QKeyEvent& event);
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
    /// Wheel over any part of the page.
    void wheel(QWheelEvent* event, int x);

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
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    enum class Drag : unsigned char { None, Pressed, Range, Pan, Box };

    /// Leaves what is in front of the selection, else a part of that. @return false if there is neither.
    bool clearOne();
    void applyLook();
    QFont overlayFont() const;  ///< Font of labels, hover box and signs.
    void updateOverlay();
    void hover(QPoint at);
    void zoom(double factor, double x, int gesture);
    void pan(double fraction, int gesture);
    HistoryMark markOf(int gesture);
    void click(QPoint at);
    void dragBox(QPoint at, bool finished);
    void dropBox();
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

    Drag m_drag = Drag::None;
    QPoint m_pressedAt;
    bool m_clickedSlice = false;  ///< By the click that may become a double click.
    TimeRange m_pressedWindow;
    std::int64_t m_pressedScroll = 0;
    std::optional<TimeRange> m_draggedRange;
    std::optional<RowSpan> m_draggedSpan;  ///< With m_draggedRange.
    std::optional<RowSpan> m_chosenSpan;   ///< Rows of TimelineSelection::tracks().
    std::function<bool()> m_leavesFirst;
    int m_lastGesture = -1;
    QElapsedTimer m_sinceGesture;
    int m_wheelRest = 0;  // eighths of a degree below one logical pixel of scrolling
};

}  // namespace altiscope
