#pragma once

#include "views/common/plots/view_window.h"

#include <QElapsedTimer>
#include <QPoint>
#include <QPointF>
#include <QRect>
#include <QString>
#include <QWidget>

#include <functional>

class QPainter;

namespace altiscope {

/// Factor of the length of a window for a notch of the wheel and for a key, and the part of it that a step moves by.
inline constexpr double kCanvasWheelZoom = 0.8, kCanvasKeyZoom = 0.75, kCanvasPanShare = 0.1;
/// Angle of a notch of the wheel, in the unit of QWheelEvent::angleDelta().
inline constexpr double kCanvasNotch = 120;

/// Commands of keys on canvases that zoom; not every canvas has all of it.
enum class CanvasCommand : unsigned char { None, ZoomIn, ZoomOut, PanLeft, PanRight, ShowAll, Undo, Redo };

/// The command of a pressed key; None: nothing that canvases share. A canvas handles keys that it has another use for
/// first.
CanvasCommand canvasCommand(const QKeyEvent& event);

/// Base of canvases on which the user moves a view. It owns wheel, keys and drags, so that they feel alike everywhere:
///
/// - Ctrl and the wheel zoom at the pointer, as does the wheel alone where there is nothing to scroll. A wheel that is
///   tilted, or turned with Shift, pans.
/// - A drag with Ctrl or the middle button pans; with Shift or Alt it zooms to a box; a plain one marks where there is
///   something to mark, and pans elsewhere. It begins after QApplication::startDragDistance(), and Escape ends it
///   without an effect.
/// - A double click shows all; a canvas may have a better use for it.
/// - Zooming on, or panning on, within half a second belongs to the same step of the history; a drag is one step.
///
/// Functions on what is in sight do so for a window in time; canvases over something else override them. GUI thread.
class GestureCanvas : public QWidget {
    Q_OBJECT
public:
    /// Where data are drawn.
    virtual QRect plotRect() const { return rect(); }
    /// A step of its own in the history.
    virtual void showAll();

protected:
    enum class Drag : unsigned char {
        None,
        Pressed,  ///< Not moved yet, or hardly: a click.
        Mark,
        Box,
        Pan,
    };
    using WindowChange = std::function<void(ViewWindow&)>;
    /// Moves what is in sight to where it was before a drag, but for the pixels that the pointer has moved since.
    using PanTo = std::function<void(const QPoint& moved, HistoryMark mark)>;

    explicit GestureCanvas(QWidget* parent = nullptr);

    // --- what is in sight

    /// The window in time; null: the canvas is over something else.
    virtual const ViewWindow* timeWindow() const { return nullptr; }
    virtual void changeTime(const WindowChange&) {}
    /// There is nothing to zoom, pan or mark.
    virtual bool isEmpty() const { return timeWindow() == nullptr || timeWindow()->empty(); }
    /// The point stays in its place; factors below 1 zoom in.
    virtual void zoomAt(const QPointF& at, double factor, HistoryMark mark);
    /// By parts of the plot: to what is on the right of it, and below.
    virtual void panBy(double across, double down, HistoryMark mark);
    virtual PanTo beginPan();
    virtual void showPrevious();
    virtual void showNext();
    /// Zooms to a box of dragBox().
    virtual void showBox(const QRect& box);
    /// Times of the borders of a box, at least 1 ns apart. @pre timeWindow() has a window.
    TimeRange timesOf(const QRect& box) const;

    // --- what gestures mean here

    /// A plain drag marks; else it pans.
    virtual bool canMark() const { return false; }
    /// A box that is zoomed to has a height: the canvas zooms in both directions.
    virtual bool hasHighBoxes() const { return false; }
    /// Scrolls by a wheel that is turned alone. @return false: nothing here scrolls, so that the wheel zooms.
    virtual bool scroll(QWheelEvent&) { return false; }
    /// @return false: not a key of this canvas. Overrides call this one last: it handles canvasCommand().
    virtual bool handleKey(const QKeyEvent& event);
    /// The left button was pressed and released.
    virtual void clickAt(const QPoint&) {}
    /// A double click.
    virtual void openAt(const QPoint&) { showAll(); }
    /// The pointer has moved without a drag.
    virtual void hoverAt(const QPoint&, const QPoint& /*global*/) {}
    /// A drag that canMark() has ended; the box is as high as the plot.
    virtual void mark(const QRect&) {}
    /// The pointer has moved in a drag, or the drag was given up: dragKind() is None then.
    virtual void dragChanged() { update(); }

    // --- for the canvas

    Drag dragKind() const { return m_drag; }
    /// Ends a drag without an effect: what is in sight is what it was before. @return Whether there was one.
    bool cancelDrag();
    const QPoint& pressedAt() const { return m_pressedAt; }
    /// The box that is marked or zoomed to if the drag ends now: the part of it that lies in the plot.
    QRect dragBox() const;
    void paintDragBox(QPainter& painter) const;
    /// Where the pointer was last; it may have left the plot.
    const QPoint& pointer() const { return m_pointer; }
    bool isPointerOverPlot() const { return m_isPointerOverPlot; }
    void setPointerOverPlot(bool isOver) { m_isPointerOverPlot = isOver; }
    QPoint pointerOrCentre() const { return m_isPointerOverPlot ? m_pointer : plotRect().center(); }
    /// A wheel that was turned here or over what belongs to the canvas. @param at  Where it zooms.
    void turnWheel(QWheelEvent& event, const QPointF& at);
    /// Zooms at a point, or pans, as a gesture.
    void zoomOn(const QPointF& at, double factor);
    void panOn(double across, double down);

    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    enum class Gesture : unsigned char { None, Zoom, Pan };
    HistoryMark markOf(Gesture gesture);
    void followPointer(const QMouseEvent& event);
    void moveDrag();

    Drag m_drag = Drag::None;
    Qt::MouseButton m_button = Qt::NoButton;
    Drag m_meant = Drag::None;  ///< The kind of the drag once the pointer has moved far enough.
    QPoint m_pressedAt;
    PanTo m_panTo;
    bool m_hasPanned = false;
    QPoint m_pointer;
    bool m_isPointerOverPlot = false;
    Gesture m_lastGesture = Gesture::None;
    QElapsedTimer m_sinceGesture;
};

}  // namespace altiscope
