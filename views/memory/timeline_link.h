#pragma once

#include "views/memory/canvas/curve_window.h"

#include <optional>

namespace altiscope {

/// Keeps the curves' window and what the timeline shows the same: who has moved last leads. The two meet only while one
/// of them is in sight, so each requests what it missed. GUI thread.
class TimelineLink : public QObject {
    Q_OBJECT
public:
    /// The window must outlive the link.
    explicit TimelineLink(CurveWindow& window, QObject* parent = nullptr);

    /// Takes the time that the timeline shows, on its traces' clock, or that it shows all: the window follows, if that
    /// is news. An empty window does so once it has an extent.
    void follow(TimeRange range, bool isWhole, bool isLinked);
    /// Time that the timeline is to show; nullopt if the user has not moved the window since the last time.
    std::optional<TimeRange> take(bool isLinked);

    /// Another capture comes.
    void reset() { m_timeline.reset(); }
    /// The window has got an extent.
    void begin();
    /// Linked again after a window that had nothing to do with the timeline: what the user did there does not count.
    void resume() {
        m_hasMoved = m_movesTimeline = false;
        m_follows = m_timeline.has_value();
    }

private:
    CurveWindow& m_window;
    bool m_hasMoved = false;              ///< By the user, since the timeline was notified.
    bool m_movesTimeline = false;         ///< The timeline is being moved to where the window is.
    std::optional<TimeRange> m_timeline;  ///< Time that it showed when it was last heard of.
    bool m_follows = false;               ///< The window is to begin there.
};

}  // namespace altiscope
