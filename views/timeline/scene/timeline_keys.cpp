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

struct ActionRow {
    TimelineAction action;
    QStringView name;  ///< In the settings of users.
    const char* text;
    std::array<QKeyCombination, 3> keys;  ///< Keys of a fresh installation; those that are set.
};

struct KeyTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::TimelineKeys)

public:
    static constexpr auto actions() {
        using A = TimelineAction;
        return std::to_array<ActionRow>({
            {A::ZoomIn,
             u"zoom_in",
             QT_TR_NOOP("Zoom in at the pointer"),
             {Qt::Key_W, Qt::CTRL | Qt::Key_Plus, Qt::CTRL | Qt::Key_Equal}},
            {A::ZoomOut, u"zoom_out", QT_TR_NOOP("Zoom out at the pointer"), {Qt::Key_S, Qt::CTRL | Qt::Key_Minus}},
            {A::PanLeft, u"pan_left", QT_TR_NOOP("Move to earlier times"), {Qt::Key_A, Qt::Key_Left}},
            {A::PanRight, u"pan_right", QT_TR_NOOP("Move to later times"), {Qt::Key_D, Qt::Key_Right}},
            {A::ScrollUp, u"scroll_up", QT_TR_NOOP("Scroll up"), {Qt::Key_Up}},
            {A::ScrollDown, u"scroll_down", QT_TR_NOOP("Scroll down"), {Qt::Key_Down}},
            {A::PageUp, u"page_up", QT_TR_NOOP("Scroll up by a page"), {Qt::Key_PageUp}},
            {A::PageDown, u"page_down", QT_TR_NOOP("Scroll down by a page"), {Qt::Key_PageDown}},
            {A::FirstRow, u"first_row", QT_TR_NOOP("Scroll to the first track"), {Qt::Key_Home}},
            {A::LastRow, u"last_row", QT_TR_NOOP("Scroll to the last track"), {Qt::Key_End}},
            {A::ZoomToSelection,
             u"zoom_to_selection",
             QT_TR_NOOP("Zoom to the marked time or selected slice"),
             {Qt::SHIFT | Qt::Key_Z}},
            {A::WholeRun, u"whole_run", QT_TR_NOOP("Show the whole run"), {Qt::CTRL | Qt::Key_0}},
            {A::GoTo, u"go_to", QT_TR_NOOP("Go to a time or a slice"), {Qt::CTRL | Qt::Key_G}},
            {A::UndoView,
             u"undo_view",
             QT_TR_NOOP("Back to the previous view"),
             {Qt::Key_Backspace, Qt::CTRL | Qt::Key_Z}},
            {A::RedoView,
             u"redo_view",
             QT_TR_NOOP("Forward to the next view"),
             {Qt::CTRL | Qt::SHIFT | Qt::Key_Z, Qt::SHIFT | Qt::Key_Backspace}},
            {A::RangeOfSlice,
             u"range_of_slice",
             QT_TR_NOOP("Take the selected slice's time as the marked time, or remove the mark"),
             {Qt::Key_M}},
            {A::AddMark, u"add_mark", QT_TR_NOOP("Set a mark at the marked time, else at the pointer"), {Qt::Key_K}},
            {A::FlowBack, u"flow_back", QT_TR_NOOP("Go back along a flow"), {Qt::Key_BracketLeft}},
            {A::FlowForward, u"flow_forward", QT_TR_NOOP("Go forward along a flow"), {Qt::Key_BracketRight}},
            {A::PreviousSlice,
             u"previous_slice",
             QT_TR_NOOP("Select the previous slice in the same row"),
             {Qt::CTRL | Qt::Key_Left}},
            {A::NextSlice,
             u"next_slice",
             QT_TR_NOOP("Select the next slice in the same row"),
             {Qt::CTRL | Qt::Key_Right}},
            {A::OuterSlice, u"outer_slice", QT_TR_NOOP("Select the parent slice"), {Qt::CTRL | Qt::Key_Up}},
            {A::InnerSlice, u"inner_slice", QT_TR_NOOP("Select the first child slice"), {Qt::CTRL | Qt::Key_Down}},
            {A::ClearSelection,
             u"clear_selection",
             QT_TR_NOOP("End the search, then remove the marked time, then the selection"),
             {Qt::Key_Escape}},
            {A::CopyDetails,
             u"copy_details",
             QT_TR_NOOP("Copy the details of the selected slice"),
             {Qt::CTRL | Qt::Key_C}},
            {A::Find, u"find", QT_TR_NOOP("Find slices"), {Qt::Key_F, Qt::CTRL | Qt::Key_F}},
            {A::NextHit, u"next_hit", QT_TR_NOOP("Next slice that was found"), {Qt::Key_N}},
            {A::PreviousHit, u"previous_hit", QT_TR_NOOP("Previous slice that was found"), {Qt::SHIFT | Qt::Key_N}},
            {A::NextStep, u"next_step", QT_TR_NOOP("Show the next step only"), {Qt::CTRL | Qt::Key_PageDown}},
            {A::PreviousStep, u"previous_step", QT_TR_NOOP("Show the previous step only"), {Qt::CTRL | Qt::Key_PageUp}},
            {A::LaterSlice,
             u"later_slice",
             QT_TR_NOOP("Go to the next slice that starts beyond the right edge"),
             {Qt::Key_Period}},
            {A::EarlierSlice,
             u"earlier_slice",
             QT_TR_NOOP("Go to the last slice that ends before the left edge"),
             {Qt::Key_Comma}},
            {A::AlignClocks,
             u"align_clocks",
             QT_TR_NOOP("Align the clocks of ranks by their collectives, or leave them as recorded"),
             {Qt::SHIFT | Qt::Key_A}},
            {A::SetBaseSlice,
             u"set_base_slice",
             QT_TR_NOOP("Make the selected slice the base slice, or no longer"),
             {Qt::Key_B}},
            {A::AlignStarts,
             u"align_starts",
             QT_TR_NOOP("Move a rank: the selected slice begins with the base slice"),
             {Qt::Key_L}},
            {A::AlignEnds,
             u"align_ends",
             QT_TR_NOOP("Move a rank: the selected slice ends with the base slice"),
             {Qt::Key_R}},
            {A::AlignAllStarts,
             u"align_all_starts",
             QT_TR_NOOP("Move all ranks: their slices of this name begin with the selected one"),
             {Qt::SHIFT | Qt::Key_L}},
            {A::AlignAllEnds,
             u"align_all_ends",
             QT_TR_NOOP("Move all ranks: their slices of this name end with the selected one"),
             {Qt::SHIFT | Qt::Key_R}},
            {A::ClocksByHand,
             u"clocks_by_hand",
             QT_TR_NOOP("Move the clocks of ranks by hand"),
             {Qt::SHIFT | Qt::Key_C}},
            {A::ResetClocks,
             u"reset_clocks",
             QT_TR_NOOP("Leave the clocks of all ranks as recorded"),
             {Qt::SHIFT | Qt::Key_0}},
            {A::ExpandAll, u"expand_all", QT_TR_NOOP("Expand all tracks"), {Qt::CTRL | Qt::SHIFT | Qt::Key_Right}},
            {A::CollapseAll, u"collapse_all", QT_TR_NOOP("Collapse all tracks"), {Qt::CTRL | Qt::SHIFT | Qt::Key_Left}},
            {A::FilterTracks, u"filter_tracks", QT_TR_NOOP("Choose which tracks are shown"), {Qt::Key_T}},
            {A::ShowKeys, u"show_keys", QT_TR_NOOP("Show this list"), {Qt::Key_Question}},
        });
    }
};

constexpr auto kActions = KeyTexts::actions();

/// Each row where its action stands in the enumeration, which ends with ShowKeys.
constexpr bool areInOrder() {
    for (std::size_t i = 0; i < kActions.size(); ++i)
        if (kActions[i].action != TimelineAction(i) || kActions[i].keys[0].key() == Qt::Key_unknown) return false;
    return kActions.size() == static_cast<std::size_t>(TimelineAction::ShowKeys) + 1;
}
static_assert(areInOrder(), "an action has no row, has no key, or stands elsewhere in the enumeration");

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

/// The place of an action's first key.
std::size_t firstKeyOf(const std::vector<TimelineKey>& keys, TimelineAction action) {
    return static_cast<std::size_t>(
        std::find_if(keys.begin(), keys.end(), [action](const TimelineKey& key) { return key.action == action; }) -
        keys.begin());
}

/// Signs that need Shift or AltGr on some layouts: what counts is the sign.
bool isSign(Qt::Key key) {
    return key == Qt::Key_BracketLeft || key == Qt::Key_BracketRight || key == Qt::Key_Question;
}

/// Keys that count by their place: what a digit's key produces with Shift is another sign.
bool hasPlace(int key) { return (key >= Qt::Key_A && key <= Qt::Key_Z) || (key >= Qt::Key_0 && key <= Qt::Key_9); }

}  // namespace

const std::vector<TimelineKey>& defaultTimelineKeys() {
    static const std::vector<TimelineKey> kKeys = [] {
        std::vector<TimelineKey> keys;
        for (const ActionRow& row : kActions) {
            for (const QKeyCombination& key : row.keys)
                if (key.key() != Qt::Key_unknown) keys.push_back({row.action, key.key(), key.keyboardModifiers()});
        }
        return keys;
    }();
    return kKeys;
}

std::vector<TimelineAction> allTimelineActions() {
    std::vector<TimelineAction> all;
    for (const ActionRow& row : kActions) all.push_back(row.action);
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

std::vector<TimelineKey> keysOfAction(const std::vector<TimelineKey>& keys, TimelineAction action) {
    std::vector<TimelineKey> own;
    std::copy_if(keys.begin(), keys.end(), std::back_inserter(own),
                 [action](const TimelineKey& key) { return key.action == action; });
    return own;
}

std::vector<TimelineKey> withDefaultKeys(std::vector<TimelineKey> keys, TimelineAction action) {
    const std::vector<TimelineKey> own = keysOfAction(defaultTimelineKeys(), action);
    std::erase_if(keys, [&](const TimelineKey& key) {
        const auto isSame = [&key](const TimelineKey& one) {
            return one.key == key.key && one.modifiers == key.modifiers;
        };
        return key.action == action || std::any_of(own.begin(), own.end(), isSame);
    });
    keys.insert(keys.end(), own.begin(), own.end());
    return keysFrom(savedKeys(keys));
}

QStringList savedKeys(const std::vector<TimelineKey>& keys) {
    QStringList lines;
    for (const ActionRow& named : kActions) {
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
        const auto named = std::find_if(kActions.begin(), kActions.end(), [&](const ActionRow& row) {
            return at > 0 && row.name == QStringView(line).first(at);
        });
        if (named == kActions.end()) continue;
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

QString describeAction(TimelineAction action) { return KeyTexts::tr(kActions[static_cast<std::size_t>(action)].text); }

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
