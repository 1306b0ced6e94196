#pragma once

#include <Qt>

#include <QString>

#include <optional>
#include <vector>

class QKeyEvent;

namespace altiscope {

enum class TimelineAction : unsigned char {
    ZoomIn, ZoomOut, PanLeft, PanRight, ScrollUp, ScrollDown, PageUp, PageDown, FirstRow, LastRow,
    ZoomToSelection, WholeRun, GoTo, UndoView, RedoView,
    RangeOfSlice, AddMark, FlowBack, FlowForward, PreviousSlice, NextSlice, OuterSlice, InnerSlice, ClearSelection,
    ExpandAll, CollapseAll, FilterTracks, ShowKeys,
};

/// One way to ask for an action.
struct TimelineKey {
    TimelineAction action;
    Qt::Key key;
    Qt::KeyboardModifiers modifiers;
};

/// Something that the mouse does, for the list of keys.
struct TimelineGesture {
    QString gesture, effect;
};

/// The keys of a fresh installation; the first one of an action is the one that menus show.
const std::vector<TimelineKey>& defaultTimelineKeys();

/// The action of a key event. Letters and brackets count by their place on the keyboard, as on a US layout, so that hands
/// need not learn again under another layout; other keys by what they produce.
std::optional<TimelineAction> actionOf(const QKeyEvent& event, const std::vector<TimelineKey>& keys);

/// What an action does, and what the mouse does, in the present language.
QString describeAction(TimelineAction action);
std::vector<TimelineGesture> timelineGestures();

/// "Ctrl+0" of the action's first key, in the platform's notation; empty if it has none.
QString keyText(TimelineAction action, const std::vector<TimelineKey>& keys);

} // namespace altiscope
