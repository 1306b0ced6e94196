#include "views/timeline/page/timeline_parts.h"

#include "views/timeline/canvas/track_header.h"
#include "views/timeline/overlay/overview_strip.h"
#include "views/timeline/overlay/step_band.h"
#include "views/timeline/overlay/time_ruler.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/track_filter_button.h"

#include <QKeyEvent>

namespace altiscope {

void TimelinePage::Parts::connectParts() {
    connectCaptures();
    connectPointer();
    connectRequests();
    connectMarks();
    connectClocks();
    connectEvidence();
    connectFind();
    connectIdle();
}

/// The open captures, what of them is shown, and the message where nothing is.
void TimelinePage::Parts::connectCaptures() {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed}) {
        QObject::connect(&session, signal, &page, [this] { takeCaptures(); });
    }
    QObject::connect(&shared, &Selection::changed, &page, [this] {
        scene.setContext(shared.current().context);
        followBase();
    });
    QObject::connect(&shared, &Selection::tracksChanged, &page, [this] { takeCaptures(); });
    QObject::connect(&shared, &Selection::shownCaptureChanged, &page, [this] { takeCaptures(); });
    QObject::connect(&scene, &TimelineScene::removalRequested, &page,
                     [this](std::uint32_t track) { shared.removeTrack(track); });
    QObject::connect(message, &TimelineMessage::reportRequested, &page, &TimelinePage::reportRequested);
    QObject::connect(&sampler, &QTimer::timeout, &page, [this] { sampleProgress(); });
    QObject::connect(&scene, &TimelineScene::rowsChanged, &page, [this] {
        applyWanted();
        updateMessage();
    });
}

/// The pointer, the wheel and keys, which canvas, ruler, steps and names of tracks share.
void TimelinePage::Parts::connectPointer() {
    QObject::connect(layout.canvas, &TimelineCanvas::pointerMoved, layout.ruler, &TimeRuler::setPointerX);
    QObject::connect(layout.ruler, &TimeRuler::pointerMoved, &page, [this](std::optional<int> x) {
        layout.ruler->setPointerX(x);
        layout.canvas->setPointerX(x);
    });
    QObject::connect(layout.ruler, &TimeRuler::rangeDragged, layout.canvas, &TimelineCanvas::dragRange);
    QObject::connect(layout.ruler, &TimeRuler::dragCancelled, layout.canvas, &TimelineCanvas::dropDrag);
    QObject::connect(layout.ruler, &TimeRuler::wheelTurned, layout.canvas, &TimelineCanvas::wheel);
    QObject::connect(layout.steps, &StepBand::wheelTurned, layout.canvas, &TimelineCanvas::wheel);
    QObject::connect(layout.header, &TrackHeader::wheelTurned, layout.canvas,
                     [this](QWheelEvent* event) { layout.canvas->wheel(event, layout.canvas->width() / 2); });
    QObject::connect(layout.header, &TrackHeader::keyPassed, layout.canvas, [this](QKeyEvent* event) {
        if (layout.canvas->handleKey(*event)) event->accept();
    });
}

/// Requests of menus, keys and clicks to the page.
void TimelinePage::Parts::connectRequests() {
    QObject::connect(layout.canvas, &TimelineCanvas::goToRequested, &page, [this] { goTo(); });
    QObject::connect(layout.canvas, &TimelineCanvas::filterTracksRequested, layout.tracks, &TrackFilterButton::open);
    QObject::connect(layout.header, &TrackHeader::rankRequested, &page, [this](std::int64_t rank) {
        ContextFilter context = shared.current().context;
        context.ranks = {rank};
        shared.setContext(std::move(context));
    });
    QObject::connect(layout.canvas, &TimelineCanvas::showKeysRequested, &page, &TimelinePage::showKeys);
    QObject::connect(layout.canvas, &TimelineCanvas::menuRequested, &page,
                     [this](const std::optional<CanvasHit>& hit, QPoint at) { openMenu(hit, at); });
    QObject::connect(layout.canvas, &TimelineCanvas::copyRequested, &page, [this] { copyDetails(false); });
    QObject::connect(layout.canvas, &TimelineCanvas::peersRequested, &page, &TimelinePage::peerListWanted);
    QObject::connect(layout.canvas, &TimelineCanvas::sliceClicked, &page, &TimelinePage::detailsWanted);
    QObject::connect(layout.canvas, &TimelineCanvas::rangeDragged, &page,
                     [this] { emit page.selectionPanelWanted(false); });
    QObject::connect(layout.header, &TrackHeader::tracksChosen, &page, [this](const TrackChoice& chosen) {
        selection.chooseTracks(chosen);
        emit page.selectionPanelWanted(true);
    });
    QObject::connect(layout.header, &TrackHeader::listRequested, &page,
                     [this](const TrackChoice& tracks, const QString& title) { listSlices(tracks, title); });
    QObject::connect(saving, &TimelineSaving::statusMessage, &page, &TimelinePage::statusMessage);
    QObject::connect(&selection, &TimelineSelection::statusMessage, &page, &TimelinePage::statusMessage);
}

/// Marks, on ruler and canvas.
void TimelinePage::Parts::connectMarks() {
    QObject::connect(layout.ruler, &TimeRuler::markOpened, &page, [this](std::size_t mark) {
        const ShownMark shown = scene.marks()[mark];
        if (shown.place == ShownMark::kElsewhere) return emit page.momentOpened();
        emit page.markEditWanted(shown.capture, shown.place);
    });
    QObject::connect(layout.ruler, &TimeRuler::markMenuRequested, &page, [this](std::size_t mark, QPoint at) {
        const ShownMark shown = scene.marks()[mark];
        if (shown.place != ShownMark::kElsewhere) emit page.markMenuWanted(shown.capture, shown.place, at);
    });
    QObject::connect(&marks, &Marks::changed, &page, [this] { showMarks(); });
    QObject::connect(&scene, &TimelineScene::rowsChanged, &page, [this] {
        publishShifts();
        showMarks();
    });
    QObject::connect(
        layout.canvas, &TimelineCanvas::markRequested, &page, [this](std::optional<TimeNs> time, std::uint32_t source) {
            if (!addMark(marks, shared.current(), selection, scene.model().sources(), time, source))
                emit page.statusMessage(TimelinePage::tr("Point at a time, or mark a range: the mark is set there."));
        });
}

/// Moving the clocks of ranks.
void TimelinePage::Parts::connectClocks() {
    QObject::connect(&clocks, &TimelineClocks::changed, &page, [this] {
        takeCaptures();
        emit page.shiftsChanged();
    });
    QObject::connect(&clocks, &TimelineClocks::baseChanged, layout.canvas,
                     [this] { layout.canvas->setBase(clocks.base()); });
    QObject::connect(&clocks, &TimelineClocks::statusMessage, &page, &TimelinePage::statusMessage);
    QObject::connect(layout.canvas, &TimelineCanvas::clocksRequested, &clocks, &TimelineClocks::perform);
    QObject::connect(layout.canvas, &TimelineCanvas::clocksByHandRequested, &page, [this] { moveByHand(); });
    QObject::connect(layout.header, &TrackHeader::clocksRequested, &page, [this] { moveByHand(); });
    QObject::connect(layout.header, &TrackHeader::shiftRequested, &page, [this](const RowKey& row) { shiftRow(row); });
}

/// The evidence of a finding.
void TimelinePage::Parts::connectEvidence() {
    QObject::connect(&evidence, &EvidenceView::gapsChanged, layout.canvas,
                     [this] { layout.canvas->setGaps(evidence.gaps()); });
    QObject::connect(&evidence, &EvidenceView::placed, &page, [this](DurationNs shift) { placeEvidence(shift); });
    QObject::connect(&evidence, &EvidenceView::noteChanged, &page, &TimelinePage::evidenceNoteChanged);
    QObject::connect(&evidence, &EvidenceView::tracksFound, &page, [this] { chooseEvidence(); });
}

/// The search, its bar and its hits.
void TimelinePage::Parts::connectFind() {
    QObject::connect(layout.canvas, &TimelineCanvas::findRequested, layout.findBar, &FindBar::open);
    QObject::connect(layout.canvas, &TimelineCanvas::hitRequested, &page, [this](bool forward) {
        if (!find.active()) return layout.findBar->open();
        find.step(forward);
    });
    QObject::connect(layout.findBar, &FindBar::closed, layout.canvas, [this] { layout.canvas->setFocus(); });
    QObject::connect(layout.findBar, &FindBar::left, layout.canvas, [this] { layout.canvas->setFocus(); });
    // The search is a mode, which Escape leaves before it touches what is selected.
    layout.canvas->setLeavesFirst([this] {
        if (layout.ruler->cancelDrag() || layout.overview->cancelDrag()) return true;
        const bool isOpen = layout.findBar->isVisible();
        if (isOpen) layout.findBar->close();
        return isOpen;
    });
    QObject::connect(layout.findBar, &FindBar::listRequested, &page, &TimelinePage::findListWanted);
    QObject::connect(&find, &FindController::changed, layout.overview,
                     [this] { layout.overview->setHits(find.result().range, find.result().marks); });
    QObject::connect(&hitMarks, &HitMarks::changed, layout.canvas,
                     [this] { layout.canvas->setHits(hitMarks.marks()); });
}

/// Whatever works by itself says when it rests.
void TimelinePage::Parts::connectIdle() {
    QObject::connect(&clocks, &TimelineClocks::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(&evidence, &EvidenceView::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(&hitMarks, &HitMarks::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(&find, &FindController::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(panel, &SelectionPanel::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(layout.canvas, &TimelineCanvas::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(layout.overview, &OverviewStrip::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(&scene, &TimelineScene::becameIdle, &page, [this] { emitIdle(); });
    QObject::connect(&selection, &TimelineSelection::becameIdle, &page, [this] { emitIdle(); });
}

}  // namespace altiscope
