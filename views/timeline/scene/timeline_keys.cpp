#include "views/timeline/scene/timeline_keys.h"

#include <QCoreApplication>
#include <QGuiApplication>
#include <QKeyEvent>
#include <QKeySequence>

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

struct KeyTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineKeys)
};

/// Key by its place, where the platform tells places by the numbers of X11 (Linux key codes plus 8), as X11 and Wayland
/// do.
std::optional<Qt::Key> keyByPlace(const QKeyEvent& event) {
    static const bool known =
        QGuiApplication::platformName() == u"xcb" || QGuiApplication::platformName().startsWith(u"wayland");
    if (!known) return std::nullopt;
    struct RowOfKeys {
        quint32 first;
        std::string_view keys;
    };
    static constexpr std::array<RowOfKeys, 4> kRows{
        {{10, "1234567890"}, {24, "QWERTYUIOP[]"}, {38, "ASDFGHJKL"}, {52, "ZXCVBNM"}}};
    for (const RowOfKeys& row : kRows) {
        const quint32 place = event.nativeScanCode() - row.first;
        if (event.nativeScanCode() >= row.first && place < row.keys.size())
            return static_cast<Qt::Key>(row.keys[place]);
    }
    return std::nullopt;
}

struct ActionName {
    TimelineAction action;
    QStringView name;  ///< In the settings of users.
};

constexpr std::array<ActionName, 44> kActionNames{{
    {TimelineAction::ZoomIn, u"zoom_in"},
    {TimelineAction::ZoomOut, u"zoom_out"},
    {TimelineAction::PanLeft, u"pan_left"},
    {TimelineAction::PanRight, u"pan_right"},
    {TimelineAction::ScrollUp, u"scroll_up"},
    {TimelineAction::ScrollDown, u"scroll_down"},
    {TimelineAction::PageUp, u"page_up"},
    {TimelineAction::PageDown, u"page_down"},
    {TimelineAction::FirstRow, u"first_row"},
    {TimelineAction::LastRow, u"last_row"},
    {TimelineAction::ZoomToSelection, u"zoom_to_selection"},
    {TimelineAction::WholeRun, u"whole_run"},
    {TimelineAction::GoTo, u"go_to"},
    {TimelineAction::UndoView, u"undo_view"},
    {TimelineAction::RedoView, u"redo_view"},
    {TimelineAction::RangeOfSlice, u"range_of_slice"},
    {TimelineAction::FlowBack, u"flow_back"},
    {TimelineAction::FlowForward, u"flow_forward"},
    {TimelineAction::PreviousSlice, u"previous_slice"},
    {TimelineAction::NextSlice, u"next_slice"},
    {TimelineAction::OuterSlice, u"outer_slice"},
    {TimelineAction::InnerSlice, u"inner_slice"},
    {TimelineAction::ClearSelection, u"clear_selection"},
    {TimelineAction::CopyDetails, u"copy_details"},
    {TimelineAction::Find, u"find"},
    {TimelineAction::NextHit, u"next_hit"},
    {TimelineAction::PreviousHit, u"previous_hit"},
    {TimelineAction::NextStep, u"next_step"},
    {TimelineAction::PreviousStep, u"previous_step"},
    {TimelineAction::LaterSlice, u"later_slice"},
    {TimelineAction::EarlierSlice, u"earlier_slice"},
    {TimelineAction::AlignClocks, u"align_clocks"},
    {TimelineAction::SetBaseSlice, u"set_base_slice"},
    {TimelineAction::AlignStarts, u"align_starts"},
    {TimelineAction::AlignEnds, u"align_ends"},
    {TimelineAction::AlignAllStarts, u"align_all_starts"},
    {TimelineAction::AlignAllEnds, u"align_all_ends"},
    {TimelineAction::ClocksByHand, u"clocks_by_hand"},
    {TimelineAction::ResetClocks, u"reset_clocks"},
    {TimelineAction::ExpandAll, u"expand_all"},
    {TimelineAction::CollapseAll, u"collapse_all"},
    {TimelineAction::AddMark, u"add_mark"},
    {TimelineAction::FilterTracks, u"filter_tracks"},
    {TimelineAction::ShowKeys, u"show_keys"},
}};
static_assert(kActionNames.size() == static_cast<std::size_t>(TimelineAction::ShowKeys) + 1,
              "an action has no name for the settings");

/// The place of an action's first key.
std::size_t firstKeyOf(const std::vector<TimelineKey>& keys, TimelineAction action) {
    return static_cast<std::size_t>(
        std::find_if(keys.begin(), keys.end(), [action](const TimelineKey& key) { return key.action == action; }) -
        keys.begin());
}

std::vector<TimelineKey> keysOfAction(const std::vector<TimelineKey>& keys, TimelineAction action) {
    std::vector<TimelineKey> own;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(own),
                 [action](const TimelineKey& key) { return key.action == action; });
    return own;
}

/// Signs that need Shift or AltGr on some layouts: what counts is the sign.
bool isSign(Qt::Key key) {
    return key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight || key == Qt::Key_Question;
}

/// Keys that count by their place: what a digit's key produces with Shift is another sign.
bool hasPlace(int key) { return (key >= Qt::Key_A && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9); }

}  // namespace

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
        {A::CopyDetails, Qt::Key_C, Qt::ControlModifier},
        {A::Find, Qt::Key_F, Qt::NoModifier},
        {A::Find, Qt::Key_F, Qt::ControlModifier},
        {A::NextHit, Qt::Key_N, Qt::NoModifier},
        {A::PreviousHit, Qt::Key_N, Qt::ShiftModifier},
        {A::NextStep, Qt::Key_PageDown, Qt::ControlModifier},
        {A::PreviousStep, Qt::Key_PageUp, Qt::ControlModifier},
        {A::LaterSlice, Qt::Key_Period, Qt::NoModifier},
        {A::EarlierSlice, Qt::Key_Comma, Qt::NoModifier},
        {A::AlignClocks, Qt::Key_A, Qt::ShiftModifier},
        {A::SetBaseSlice, Qt::Key_B, Qt::NoModifier},
        {A::AlignStarts, Qt::Key_L, Qt::NoModifier},
        {A::AlignEnds, Qt::Key_R, Qt::NoModifier},
        {A::AlignAllStarts, Qt::Key_L, Qt::ShiftModifier},
        {A::AlignAllEnds, Qt::Key_R, Qt::ShiftModifier},
        {A::ClocksByHand, Qt::Key_C, Qt::ShiftModifier},
        {A::ResetClocks, Qt::Key_0, Qt::ShiftModifier},
        {A::ExpandAll, Qt::Key_Right, Qt::ControlModifier | Qt::ShiftModifier},
        {A::CollapseAll, Qt::Key_Left, Qt::ControlModifier | Qt::ShiftModifier},
        {A::FilterTracks, Qt::Key_T, Qt::NoModifier},
        {A::ShowKeys, Qt::Key_Question, Qt::NoModifier},
    };
    return keys;
}

std::vector<TimelineAction> allTimelineActions() {
    std::vector<TimelineAction> all;
    for (const ActionName& named : kActionNames) all.push_back(named.action);
    return all;
}

std::vector<TimelineKey> withKey(std::vector<TimelineKey> keys, TimelineAction action, Qt::Key key,
                                 Qt::KeyboardModifiers modifiers) {
    const std::size_t place = firstKeyOf(keys, action);
    const TimelineKey fresh{action, key, modifiers};
    // In the place of the old ones: the keys of an action stand beside each other, in the order of the list that is
    // shown.
    if (place < keys.size()) keys[place] = fresh;
    else keys.push_back(fresh);
    bool isKept = false;
    std::erase_if(keys, [&](const TimelineKey& other) {
        if (other == fresh) return std::exchange(isKept, true);
        return other.action == action || (other.key == key && other.modifiers == modifiers);
    });
    return keys;
}

QStringList savedKeys(const std::vector<TimelineKey>& keys) {
    QStringList lines;
    for (const ActionName& named : kActionNames) {
        const std::vector<TimelineKey> own = keysOfAction(keys, named.action);
        if (own == keysOfAction(defaultTimelineKeys(), named.action)) continue;
        QStringList texts;
        for (const TimelineKey& key : own)
            texts << QKeySequence(QKeyCombination(key.modifiers, key.key)).toString(QKeySequence::PortableText);
        lines << named.name.toString() + u'=' + texts.join(u';');
    }
    return lines;
}

std::vector<TimelineKey> keysFrom(const QStringList& saved) {
    std::vector<TimelineKey> keys = defaultTimelineKeys();
    for (const QString& line : saved) {
        const qsizetype at = line.indexOf(u'=');
        const auto named = std::find_if(kActionNames.begin(), kActionNames.end(), [&](const ActionName& name) {
            return at > 0 && name.name == QStringView(line).first(at);
        });
        if (named == kActionNames.end()) continue;
        std::vector<TimelineKey> own;
        for (const QString& text : line.sliced(at + 1).split(u';', Qt::SkipEmptyParts)) {
            const QKeySequence sequence(text, QKeySequence::PortableText);
            if (sequence.count() == 1 && sequence[0].key() != Qt::Key_unknown)
                own.push_back({named->action, sequence[0].key(), sequence[0].keyboardModifiers()});
        }
        const auto before = keys.begin() + static_cast<std::ptrdiff_t>(firstKeyOf(keys, named->action));
        keys.insert(before, own.begin(), own.end());
        // After those of the line stand those that it replaces.
        std::size_t seen = 0;
        std::erase_if(keys,
                      [&](const TimelineKey& key) { return key.action == named->action && seen++ >= own.size(); });
    }
    return keys;
}

std::optional<TimelineAction> actionOf(const QKeyEvent& event, const std::vector<TimelineKey>& keys) {
    return actionAt(keyByPlace(event), event, keys);
}

std::optional<TimelineAction> actionAt(std::optional<Qt::Key> place, const QKeyEvent& event,
                                       const std::vector<TimelineKey>& keys) {
    const Qt::KeyboardModifiers modifiers = event.modifiers() & ~(Qt::KeypadModifier | Qt::GroupSwitchModifier);
    for (const TimelineKey& binding : keys) {
        const bool produced = event.key() == binding.key;
        if (isSign(binding.key)) {
            if (produced && (modifiers & ~Qt::ShiftModifier) == binding.modifiers) return binding.action;
            // Where brackets are far from the hand (AltGr), the keys in their place do the same.
            if (place == binding.key && modifiers == binding.modifiers) return binding.action;
            continue;
        }
        const bool hit = hasPlace(binding.key) && place ? place == binding.key : produced;
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
    case TimelineAction::ZoomToSelection: return KeyTexts::tr("Zoom to the marked time or selected slice");
    case TimelineAction::WholeRun: return KeyTexts::tr("Show the whole run");
    case TimelineAction::GoTo: return KeyTexts::tr("Go to a time or a slice");
    case TimelineAction::UndoView: return KeyTexts::tr("Back to the previous view");
    case TimelineAction::RedoView: return KeyTexts::tr("Forward to the next view");
    case TimelineAction::RangeOfSlice:
        return KeyTexts::tr("Take the selected slice's time as the marked time, or remove the mark");
    case TimelineAction::FlowBack: return KeyTexts::tr("Go back along a flow");
    case TimelineAction::FlowForward: return KeyTexts::tr("Go forward along a flow");
    case TimelineAction::PreviousSlice: return KeyTexts::tr("Select the previous slice in the same row");
    case TimelineAction::NextSlice: return KeyTexts::tr("Select the next slice in the same row");
    case TimelineAction::OuterSlice: return KeyTexts::tr("Select the parent slice");
    case TimelineAction::InnerSlice: return KeyTexts::tr("Select the first child slice");
    case TimelineAction::ClearSelection:
        return KeyTexts::tr("End the search, then remove the marked time, then the selection");
    case TimelineAction::CopyDetails: return KeyTexts::tr("Copy the details of the selected slice");
    case TimelineAction::Find: return KeyTexts::tr("Find slices");
    case TimelineAction::NextHit: return KeyTexts::tr("Next slice that was found");
    case TimelineAction::PreviousHit: return KeyTexts::tr("Previous slice that was found");
    case TimelineAction::NextStep: return KeyTexts::tr("Show the next step only");
    case TimelineAction::PreviousStep: return KeyTexts::tr("Show the previous step only");
    case TimelineAction::LaterSlice: return KeyTexts::tr("Go to the next slice that starts beyond the right edge");
    case TimelineAction::EarlierSlice: return KeyTexts::tr("Go to the last slice that ends before the left edge");
    case TimelineAction::AlignClocks:
        return KeyTexts::tr("Align the clocks of ranks by their collectives, or leave them as recorded");
    case TimelineAction::SetBaseSlice: return KeyTexts::tr("Make the selected slice the base slice, or no longer");
    case TimelineAction::AlignStarts: return KeyTexts::tr("Move a rank: the selected slice begins with the base slice");
    case TimelineAction::AlignEnds: return KeyTexts::tr("Move a rank: the selected slice ends with the base slice");
    case TimelineAction::AlignAllStarts:
        return KeyTexts::tr("Move all ranks: their slices of this name begin with the selected one");
    case TimelineAction::AlignAllEnds:
        return KeyTexts::tr("Move all ranks: their slices of this name end with the selected one");
    case TimelineAction::ClocksByHand: return KeyTexts::tr("Move the clocks of ranks by hand");
    case TimelineAction::ResetClocks: return KeyTexts::tr("Leave the clocks of all ranks as recorded");
    case TimelineAction::ExpandAll: return KeyTexts::tr("Expand all tracks");
    case TimelineAction::CollapseAll: return KeyTexts::tr("Collapse all tracks");
    case TimelineAction::AddMark: return KeyTexts::tr("Set a mark at the marked time, else at the pointer");
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
        {KeyTexts::tr("Names: drag a row, Alt+Up, Alt+Down"), KeyTexts::tr("Move it among its siblings")},
        {KeyTexts::tr("Names: drag a lower edge, Alt+Plus, Alt+Minus"),
         KeyTexts::tr("Change the height of a row; double click: automatic")},
        {KeyTexts::tr("Names: the pin, P"), KeyTexts::tr("Keep a row at the top")},
        {KeyTexts::tr("Names: Ctrl+Click, Shift+Click"),
         KeyTexts::tr("Choose several rows, to pin or merge them by the menu")},
        {KeyTexts::tr("Names: U, Shift+U"), KeyTexts::tr("Undo and redo what was pinned, moved, merged or hidden")},
    };
}

QString keyText(TimelineAction action, const std::vector<TimelineKey>& keys) {
    for (const TimelineKey& binding : keys) {
        if (binding.action == action)
            return QKeySequence(QKeyCombination(binding.modifiers, binding.key)).toString(QKeySequence::NativeText);
    }
    return {};
}

}  // namespace altiscope
