#include "views/timeline/timeline_keys.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QKeySequence>

#include <array>
#include <string_view>

namespace altiscope {

namespace {

struct KeyTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineKeys)
};

/// Key by its place, where the platform tells places by the numbers of X11 (Linux key codes plus 8), as X11 and Wayland do.
std::optional<Qt::Key> keyByPlace(const QKeyEvent& event) {
    static const bool known = QGuiApplication::platformName() == u"xcb" || QGuiApplication::platformName().startsWith(u"wayland");
    if (!known) return std::nullopt;
    struct RowOfKeys { quint32 first; std::string_view keys; };
    static constexpr std::array<RowOfKeys, 3> kRows{{{24, "QWERTYUIOP[]"}, {38, "ASDFGHJKL"}, {52, "ZXCVBNM"}}};
    for (const RowOfKeys& row : kRows) {
        const quint32 place = event.nativeScanCode() - row.first;
        if (event.nativeScanCode() >= row.first && place < row.keys.size()) return static_cast<Qt::Key>(row.keys[place]);
    }
    return std::nullopt;
}

/// Signs that need Shift or AltGr on some layouts: what counts is the sign.
bool isSign(Qt::Key key) { return key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight || key == Qt::Key_Question; }

bool isLetter(int key) { return key >= Qt::Key_A && key <= Qt::Key_Z; }

} // namespace

const std::vector<TimelineKey>& defaultTimelineKeys() {
    using A = TimelineAction;
    static const std::vector<TimelineKey> keys{
        {A::ZoomIn, Qt::Key_W, Qt::NoModifier},
        {A::ZoomIn, Qt::Key_Plus, Qt::ControlModifier},
        {A::ZoomIn, Qt::Key_Equal, Qt::ControlModifier},
        {A::ZoomOut, Qt::Key_S, Qt::NoModifier},
        {A::ZoomOut, Qt::Key_Minus, Qt::ControlModifier},
        {A::PanLeft, Qt::Key_A, Qt::NoModifier},
        {A::PanLeft, Qt::Key_Left, Qt::NoModifier},
        {A::PanRight, Qt::Key_D, Qt::NoModifier},
        {A::PanRight, Qt::Key_Right, Qt::NoModifier},
        {A::ScrollUp, Qt::Key_Up, Qt::NoModifier},
        {A::ScrollDown, Qt::Key_Down, Qt::NoModifier},
        {A::PageUp, Qt::Key_PageUp, Qt::NoModifier},
        {A::PageDown, Qt::Key_PageDown, Qt::NoModifier},
        {A::FirstRow, Qt::Key_Home, Qt::NoModifier},
        {A::LastRow, Qt::Key_End, Qt::NoModifier},
        {A::ZoomToSelection, Qt::Key_Z, Qt::ShiftModifier},
        {A::WholeRun, Qt::Key_0, Qt::ControlModifier},
        {A::GoTo, Qt::Key_G, Qt::ControlModifier},
        {A::UndoView, Qt::Key_Backspace, Qt::NoModifier},
        {A::UndoView, Qt::Key_Z, Qt::ControlModifier},
        {A::RedoView, Qt::Key_Z, Qt::ControlModifier | Qt::ShiftModifier},
        {A::RedoView, Qt::Key_Backspace, Qt::ShiftModifier},
        {A::RangeOfSlice, Qt::Key_M, Qt::NoModifier},
        {A::AddMark, Qt::Key_K, Qt::NoModifier},
        {A::FlowBack, Qt::Key_BracketLeft, Qt::NoModifier},
        {A::FlowForward, Qt::Key_BracketRight, Qt::NoModifier},
        {A::PreviousSlice, Qt::Key_Left, Qt::ControlModifier},
        {A::NextSlice, Qt::Key_Right, Qt::ControlModifier},
        {A::OuterSlice, Qt::Key_Up, Qt::ControlModifier},
        {A::InnerSlice, Qt::Key_Down, Qt::ControlModifier},
        {A::ClearSelection, Qt::Key_Escape, Qt::NoModifier},
        {A::ExpandAll, Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier},
        {A::CollapseAll, Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier},
        {A::FilterTracks, Qt::Key_T, Qt::NoModifier},
        {A::ShowKeys, Qt::Key_Question, Qt::NoModifier},
    };
    return keys;
}

std::optional<TimelineAction> actionOf(const QKeyEvent& event, const std::vector<TimelineKey>& keys) {
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
    const std::optional<Qt::Key> place = keyByPlace(event);
    for (const TimelineKey& binding : keys) {
        const bool produced = event.key() == binding.key;
        if (isSign(binding.key)) {
            if (produced && (modifiers & ~Qt::ShiftModifier) == binding.modifiers) return binding.action;
            // Where brackets are far from the hand (AltGr), the keys in their place do the same.
            if (place == binding.key && modifiers == binding.modifiers) return binding.action;
            continue;
        }
        const bool hit = isLetter(binding.key) && place ? place == binding.key : produced;
        if (hit && modifiers == binding.modifiers) return binding.action;
    }
    return std::nullopt;
}

QString describeAction(TimelineAction action) {
    switch (action) {
    case TimelineAction::ZoomIn: return KeyTexts::tr("Zoom in at the pointer");
    case TimelineAction::ZoomOut: return KeyTexts::tr("Zoom out at the pointer");
    case TimelineAction::PanLeft: return KeyTexts::tr("Move to earlier times");
    case TimelineAction::PanRight: return KeyTexts::tr("Move to later times");
    case TimelineAction::ScrollUp: return KeyTexts::tr("Scroll up");
    case TimelineAction::ScrollDown: return KeyTexts::tr("Scroll down");
    case TimelineAction::PageUp: return KeyTexts::tr("Scroll up by a page");
    case TimelineAction::PageDown: return KeyTexts::tr("Scroll down by a page");
    case TimelineAction::FirstRow: return KeyTexts::tr("Scroll to the first track");
    case TimelineAction::LastRow: return KeyTexts::tr("Scroll to the last track");
    case TimelineAction::ZoomToSelection: return KeyTexts::tr("Zoom to the marked range or selected slice");
    case TimelineAction::WholeRun: return KeyTexts::tr("Show the whole run");
    case TimelineAction::GoTo: return KeyTexts::tr("Go to a time or a slice");
    case TimelineAction::UndoView: return KeyTexts::tr("Back to the view before");
    case TimelineAction::RedoView: return KeyTexts::tr("Forward to the view after");
    case TimelineAction::RangeOfSlice: return KeyTexts::tr("Mark the selected slice's time as range, or remove the mark");
    case TimelineAction::FlowBack: return KeyTexts::tr("Go back along a flow");
    case TimelineAction::FlowForward: return KeyTexts::tr("Go forward along a flow");
    case TimelineAction::PreviousSlice: return KeyTexts::tr("Select the slice before on the same lane");
    case TimelineAction::NextSlice: return KeyTexts::tr("Select the next slice on the same lane");
    case TimelineAction::OuterSlice: return KeyTexts::tr("Select the slice around");
    case TimelineAction::InnerSlice: return KeyTexts::tr("Select the first slice within");
    case TimelineAction::ClearSelection: return KeyTexts::tr("Remove the marked range, then the selection");
    case TimelineAction::ExpandAll: return KeyTexts::tr("Expand all tracks");
    case TimelineAction::CollapseAll: return KeyTexts::tr("Collapse all tracks");
    case TimelineAction::AddMark: return KeyTexts::tr("Set a mark at the marked range, else at the pointer");
    case TimelineAction::FilterTracks: return KeyTexts::tr("Choose which tracks are shown");
    case TimelineAction::ShowKeys: return KeyTexts::tr("Show this list");
    }
    return {};
}

std::vector<TimelineGesture> timelineGestures() {
    return {
        {KeyTexts::tr("Ctrl+Wheel"), KeyTexts::tr("Zoom at the pointer")},
        {KeyTexts::tr("Wheel"), KeyTexts::tr("Scroll")},
        {KeyTexts::tr("Shift+Wheel"), KeyTexts::tr("Move in time")},
        {KeyTexts::tr("Click"), KeyTexts::tr("Select a slice")},
        {KeyTexts::tr("Double click"), KeyTexts::tr("Zoom to a slice")},
        {KeyTexts::tr("Drag"), KeyTexts::tr("Mark a box over tracks and time; over the ruler, a range of all tracks")},
        {KeyTexts::tr("Alt+Drag or Shift+Drag"), KeyTexts::tr("Zoom to a box")},
        {KeyTexts::tr("Ctrl+Drag or middle button"), KeyTexts::tr("Move the view")},
        {KeyTexts::tr("Right click"), KeyTexts::tr("What can be done with a slice")},
    };
}

QString keyText(TimelineAction action, const std::vector<TimelineKey>& keys) {
    for (const TimelineKey& binding : keys) {
        if (binding.action == action) return QKeySequence(QKeyCombination(binding.modifiers, binding.key)).toString(QKeySequence::NativeText);
    }
    return {};
}

} // namespace altiscope
