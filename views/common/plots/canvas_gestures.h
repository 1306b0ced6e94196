#pragma once

#include "views/common/plots/view_window.h"

#include <QPoint>

#include <functional>
#include <optional>

class QKeyEvent;
class QMouseEvent;
class QRect;
class QWheelEvent;
class QWidget;

namespace altiscope {

// Gestures of mouse and keys that are alike on every canvas over a ViewWindow.

/// Factor of the length of a window for a notch of the wheel and for a key, and the part of it that a step moves by.
inline constexpr double kCanvasWheelZoom = 0.8, kCanvasKeyZoom = 0.7, kCanvasPanShare = 0.2;
/// Angle of a notch of the wheel, in the unit of QWheelEvent::angleDelta().
inline constexpr double kCanvasNotch = 120;

/// The part of the window by which a wheel that is tilted, or turned with Shift, moves it; positive to later times.
/// nullopt: it does not.
std::optional<double> panOfWheel(const QWheelEvent& event);

/// Zooms at a pixel of a plot; nothing if the plot has no width.
/// @param x  From the left of the canvas.
void zoomWindowAt(ViewWindow& window, const QRect& plot, int x, double factor, HistoryMark mark);

/// Commands of keys on canvases that zoom; not every canvas has all of it.
enum class CanvasCommand : unsigned char { None, ZoomIn, ZoomOut, PanLeft, PanRight, ShowAll, Undo, Redo };

/// The command of a pressed key; None: nothing that canvases share. A canvas handles keys that it has another use for
/// first.
CanvasCommand canvasCommand(const QKeyEvent& event);

/// The change that a key makes to a window, by canvasCommand(). Empty: none.
/// @param x  Where W and S zoom, from the left of the canvas.
std::function<void(ViewWindow&)> changeOfKey(const QKeyEvent& event, const QRect& plot, int x);

/// State between press and release of a mouse button on a canvas.
class CanvasDrag {
public:
    enum class Kind : unsigned char {
        None,
        Pressed,   ///< Not moved yet, or hardly: a click.
        Plain,     ///< Dragged with the left button.
        Modified,  ///< The same with Alt or Shift.
        Pan,       ///< Dragged with the middle button, or the left one and Ctrl.
    };

    Kind kind() const { return m_kind; }
    const QPoint& pressedAt() const { return m_pressedAt; }

    /// @param window  What is in sight now. The canvas gets another pointer while it is panned.
    void press(const QMouseEvent& event, TimeRange window, QWidget& canvas);
    void move(const QMouseEvent& event);
    /// Where the pan has led the window: from where it began, so that nothing adds up.
    /// @pre kind() is Pan.
    TimeRange panned(const QPoint& at, const QRect& plot) const;
    /// @return What has ended.
    Kind release(QWidget& canvas);
    /// Ends it without an effect. @return False: there was none.
    bool cancel();

private:
    Kind m_kind = Kind::None;
    QPoint m_pressedAt;
    TimeRange m_window;
};

}  // namespace altiscope
