#pragma once

#include <Qt>

#include <QString>
#include <QStringList>

#include <optional>
#include <vector>

class QKeyEvent;

namespace altiscope {

/// Actions of keys, menus and palette in the timeline: a row each in timeline_keys.cpp, that of ShowKeys the last.
enum class TimelineAction : unsigned char {
    ZoomIn,
    ZoomOut,
    PanLeft,
    PanRight,
    ScrollUp,
    ScrollDown,
    PageUp,
    PageDown,
    FirstRow,
    LastRow,
    ZoomToSelection,
    WholeRun,
    GoTo,
    UndoView,
    RedoView,
    RangeOfSlice,
    AddMark,
    FlowBack,
    FlowForward,
    PreviousSlice,
    NextSlice,
    OuterSlice,
    InnerSlice,
    ClearSelection,
    CopyDetails,
    Find,
    NextHit,
    PreviousHit,
    NextStep,
    PreviousStep,
    LaterSlice,
    EarlierSlice,
    AlignClocks,
    SetBaseSlice,
    AlignStarts,
    AlignEnds,
    AlignAllStarts,
    AlignAllEnds,
    ClocksByHand,
    ResetClocks,
    ExpandAll,
    CollapseAll,
    FilterTracks,
    ShowKeys,
};

/// Actions of TimelineClocks on the clocks of ranks.
enum class ClockAction : unsigned char { Toggle, SetBase, AlignStarts, AlignEnds, AlignAllStarts, AlignAllEnds, Reset };

/// One way to request an action.
struct TimelineKey {
    TimelineAction action;
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;

    bool operator==(const TimelineKey&) const = default;
};

/// Something that the mouse does, for the list of keys.
struct TimelineGesture {
    QString gesture, effect;
};

/// All of them, in the order in which lists show them.
std::vector<TimelineAction> allTimelineActions();

/// The keys of a fresh installation; the first one of an action is the one that menus show.
const std::vector<TimelineKey>& defaultTimelineKeys();

/// The keys after an action was given another one, which replaces all that it had. Whatever had that key is without it.
std::vector<TimelineKey> withKey(std::vector<TimelineKey> keys, TimelineAction action, Qt::Key key,
                                 Qt::KeyboardModifiers modifiers);

/// The keys of one action.
std::vector<TimelineKey> keysOfAction(const std::vector<TimelineKey>& keys, TimelineAction action);

/// The keys after an action was given those of a fresh installation, which others lose that had them.
std::vector<TimelineKey> withDefaultKeys(std::vector<TimelineKey> keys, TimelineAction action);

/// Actions whose keys are not those of a fresh installation, a line each: "zoom_in=W;Ctrl++".
QStringList savedKeys(const std::vector<TimelineKey>& keys);
/// The keys that such lines mean. What cannot be understood, or names no action, is as in a fresh installation.
std::vector<TimelineKey> keysFrom(const QStringList& saved);

/// The action of a key event. Letters, digits and brackets count by their place on the keyboard, as on a US layout, so
/// that hands need not learn again under another layout; other keys by what they produce.
std::optional<TimelineAction> actionOf(const QKeyEvent& event, const std::vector<TimelineKey>& keys);
/// The same, of a key in the place of `place` on a US layout; nullopt: unknown.
std::optional<TimelineAction> actionAt(std::optional<Qt::Key> place, const QKeyEvent& event,
                                       const std::vector<TimelineKey>& keys);

/// Effects of an action, and of the mouse, in the present language.
QString describeAction(TimelineAction action);
std::vector<TimelineGesture> timelineGestures();

/// "Ctrl+0" of the action's first key, in the platform's notation; empty if it has none.
QString keyText(TimelineAction action, const std::vector<TimelineKey>& keys);

}  // namespace altiscope
