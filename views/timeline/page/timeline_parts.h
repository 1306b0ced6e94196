#pragma once

#include "views/timeline/page/timeline_page.h"

#include "core/session/marks.h"
#include "core/session/session.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/overlay/hit_marks.h"
#include "views/timeline/page/shift_dialog.h"
#include "views/timeline/page/timeline_layout.h"
#include "views/timeline/page/timeline_marks.h"
#include "views/timeline/page/timeline_message.h"
#include "views/timeline/page/timeline_saving.h"
#include "views/timeline/panels/find_list.h"
#include "views/timeline/panels/peer_list.h"
#include "views/timeline/panels/selection_panel.h"
#include "views/timeline/panels/track_list.h"
#include "views/timeline/scene/evidence_view.h"
#include "views/timeline/scene/find_controller.h"
#include "views/timeline/scene/timeline_clocks.h"
#include "views/timeline/scene/track_layouts.h"
#include "views/timeline/scene/workspace_state.h"

#include <QAction>
#include <QMenu>
#include <QPointer>
#include <QStackedLayout>
#include <QTimer>

#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// Parts of the page, and their connections; the page itself is what others see of it. GUI thread.
struct TimelinePage::Parts {
    Parts(TimelinePage& thePage, Session& theSession, Selection& theSelection, Marks& theMarks,
          const ViewMemory& theMemory)
        : page(thePage), session(theSession), shared(theSelection), marks(theMarks), memory(theMemory),
          scene(theSession.jobs()), selection(scene, theSelection), copySlot(theSession.jobs()),
          clocks(theSession, scene, selection), evidence(scene, clocks),
          panel(new SelectionPanel(theSession, scene, selection, theMemory, &thePage)), find(scene, selection),
          findList(new FindList(find, theSession, theMemory, &thePage)),
          trackList(new TrackList(theSession, theSelection, theMemory, &thePage)),
          layout(scene, selection, find, &thePage), hitMarks(scene, find, *layout.canvas),
          layouts(scene, theMemory, &thePage), kept(theSession, scene, clocks, layouts),
          peers(new PeerList(layout.canvas->peers(), scene, selection, theSession, theMemory, &thePage)) {}

    void build();
    void connectParts();
    void connectCaptures();
    void connectPointer();
    void connectRequests();
    void connectMarks();
    void connectClocks();
    void connectEvidence();
    void connectFind();
    void connectIdle();
    void retranslate();
    void takeCaptures();
    void showMarks();
    void followBase();
    void placeEvidence(DurationNs shift);
    void unmarkEvidence();
    void chooseEvidence();
    void publishShifts();
    void remember();
    void followKeys();
    void goTo();
    /// @param capture  Of whose clock the range is; nullopt: of the selected one.
    void want(TimeRange range, std::optional<CaptureId> capture);
    void applyWanted();
    void sampleProgress();
    void updateMessage();
    void openMenu(const std::optional<CanvasHit>& hit, QPoint at);
    void copyDetails(bool asJson);
    void listSlices(const TrackChoice& tracks, const QString& title);
    void findLike();
    void moveByHand();
    void shiftRow(const RowKey& row);
    std::vector<ShiftAnchor> shiftAnchors() const;
    void emitIdle();
    std::vector<QAction*> makeCommands();

    TimelinePage& page;
    Session& session;
    Selection& shared;
    Marks& marks;
    ViewMemory memory;
    TimelineScene scene;
    TimelineSelection selection;
    JobSlot copySlot;
    TimelineClocks clocks;
    EvidenceView evidence;
    std::optional<TimelineEvidence> shownEvidence;
    std::optional<TimeRange> evidenceMark;  // the range that was marked for it
    TrackChoice evidenceTracks;             // what was chosen for it
    QPointer<SelectionPanel> panel;         // the window may have taken it
    FindController find;
    QPointer<FindList> findList;  // likewise
    QPointer<TrackList> trackList;
    TimelineLayout layout;
    HitMarks hitMarks;
    TrackLayouts layouts;
    TimelineState kept;
    QPointer<PeerList> peers;  // likewise
    QMenu* layoutsMenu = nullptr;
    TimelineSaving* saving = nullptr;  // a child of the page
    QTimer sampler;
    std::optional<TimeRange> wanted;       // requested by showRange(), on the trace's clock
    std::optional<CaptureId> wantedIn;     // as soon as that capture is shown
    std::optional<TimeRange> wantedShown;  // what the window was set to for it
    QStackedLayout* stack = nullptr;
    TimelineMessage* message = nullptr;
    std::vector<QAction*> commands;
    std::pair<std::optional<BaseChoice>, ContextFilter> beside;  // as companions were made for last
    std::optional<MomentElsewhere> moment;
};

}  // namespace altiscope
