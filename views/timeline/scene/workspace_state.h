#pragma once

#include "core/session/session.h"
#include "views/common/support/page_state.h"
#include "views/timeline/scene/timeline_clocks.h"
#include "views/timeline/scene/track_layouts.h"

#include <QObject>

#include <cstdint>
#include <optional>

namespace altiscope {

/// State of the timeline in a workspace: how rows are arranged, hidden, coloured and aligned, and as "view" the
/// window of time and how far rows are scrolled. What needs a capture waits until it is read. GUI thread.
///
/// {"rows":[...],"text","kinds":[],"colours":N,"rules":[] (see TrackLayouts),"aligned":true,
///  "moved":[...] (see TimelineClocks),
///  "view":{"capture":0,"begin":N,"end":N,"scroll":N}}
class TimelineState : public QObject {
public:
    /// All must outlive it.
    TimelineState(Session& session, TimelineScene& scene, TimelineClocks& clocks, TrackLayouts& layouts,
                  QObject* parent = nullptr);

    QJsonObject state(const WorkspaceIds& captures) const;
    void restore(const QJsonObject& state, const WorkspaceIds& captures);
    /// Nothing waits any more, or never will.
    bool idle() const { return !m_window; }

private:
    struct Window {
        CaptureId capture;
        TimeRange range;  ///< On the capture's clock.
        std::int64_t scroll = 0;
    };
    void apply();

    Session& m_session;
    TimelineScene& m_scene;
    TimelineClocks& m_clocks;
    TrackLayouts& m_layouts;
    std::optional<Window> m_window;  // until it is shown
};

}  // namespace altiscope
