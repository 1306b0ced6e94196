#include "views/timeline/page/timeline_page.h"

#include "core/session/marks.h"
#include "core/session/session.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/formatters.h"
#include "views/timeline/canvas/timeline_canvas.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/page/timeline_companions.h"
#include "views/timeline/page/timeline_dialogs.h"
#include "views/timeline/page/timeline_layout.h"
#include "views/timeline/page/timeline_marks.h"
#include "views/timeline/page/timeline_message.h"
#include "views/timeline/page/timeline_saving.h"
#include "views/timeline/panels/clocks_dialog.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/find_list.h"
#include "views/timeline/panels/flow_button.h"
#include "views/timeline/panels/go_to.h"
#include "views/timeline/panels/keys_dialog.h"
#include "views/timeline/panels/peer_list.h"
#include "views/timeline/panels/selection_panel.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/panels/track_filter_button.h"
#include "views/timeline/panels/track_list.h"
#include "views/timeline/picture/find_feed.h"
#include "views/timeline/picture/hit_marks.h"
#include "views/timeline/picture/overview_strip.h"
#include "views/timeline/picture/step_band.h"
#include "views/timeline/picture/time_ruler.h"
#include "views/timeline/rows/shift_text.h"
#include "views/timeline/scene/evidence_view.h"
#include "views/timeline/scene/timeline_clocks.h"
#include "views/timeline/scene/track_layouts.h"
#include "views/timeline/scene/workspace_state.h"

#include <QAction>
#include <QApplication>
#include <QClipboard>
#include <QKeyEvent>
#include <QMenu>
#include <QPointer>
#include <QStackedLayout>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace altiscope {

namespace {

/// Progress of imports is sampled, see ProgressSlot.
constexpr int kSampleMs = 200;
}  // namespace

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
    void retranslate();
    void takeCaptures();
    void showMarks();
    void followBase();
    void placeEvidence(DurationNs shift);
    void tellShifts();
    void remember();
    void followKeys();
    void goTo();
    void applyWanted();
    void sampleProgress();
    void updateMessage();
    void openMenu(const std::optional<CanvasHit>& hit, QPoint at);
    void copyDetails(bool asJson);
    void listSlices(const TrackChoice& tracks, const QString& title);
    void findLike();
    void moveByHand();
    void tellIdle();
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
    QPointer<SelectionPanel> panel;         // the window may have taken it
    FindFeed find;
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
    std::optional<TimeRange> wantedShown;  // what the window was set to for it
    QStackedLayout* stack = nullptr;
    TimelineMessage* message = nullptr;
    std::vector<QAction*> commands;
    std::pair<std::optional<BaseChoice>, ContextFilter> beside;  // as companions were made for last
    std::optional<MomentElsewhere> moment;
};

void TimelinePage::Parts::retranslate() {
    layout.retranslate();
    for (QAction* command : commands)
        command->setText(describeAction(static_cast<TimelineAction>(command->data().toInt())));
    saving->retranslate();
    layoutsMenu->setTitle(TimelinePage::tr("&Layouts of rows"));
    updateMessage();
}

void TimelinePage::Parts::build() {
    message = new TimelineMessage(session, &page);
    stack = new QStackedLayout(&page);
    stack->addWidget(message);
    stack->addWidget(layout.body);
    sampler.setInterval(kSampleMs);
    saving = new TimelineSaving(session, scene, selection, page);
    commands = makeCommands();
    layoutsMenu = new QMenu(&page);
    QObject::connect(layoutsMenu, &QMenu::aboutToShow, &page, [this] {
        layoutsMenu->clear();
        layouts.fillMenu(*layoutsMenu);
    });
    layout.header->setLayoutsMenu(layoutsMenu);
    layout.tracks->menu()->addMenu(layoutsMenu);
}

std::vector<QAction*> TimelinePage::Parts::makeCommands() {
    std::vector<QAction*> made;
    for (const TimelineAction what : allTimelineActions()) {
        // The list of keys is in the menus already.
        if (what == TimelineAction::ShowKeys) continue;
        auto* action = made.emplace_back(new QAction(layout.canvas));
        QObject::connect(action, &QAction::triggered, layout.canvas, [this, what] { layout.canvas->perform(what); });
        action->setData(static_cast<int>(what));
    }
    return made;
}

/// For the list alone: the actions are on no widget, so that the canvas gets the keys.
void TimelinePage::Parts::followKeys() {
    for (QAction* command : commands) {
        const QString key = keyText(static_cast<TimelineAction>(command->data().toInt()), scene.keys());
        command->setShortcut(QKeySequence::fromString(key, QKeySequence::NativeText));
    }
    retranslate();
}

void TimelinePage::Parts::remember() {
    scene.setKeys(keysFrom(memory.value(QStringLiteral("timeline/keys")).toStringList()));
    const int colours = memory.value(QStringLiteral("timeline/colours")).toInt();
    if (colours > 0 && colours < static_cast<int>(kColourings.size()))
        scene.setColourBy(kColourings[static_cast<std::size_t>(colours)]);
    followKeys();
    layout.flows->remember(memory);
    QObject::connect(&scene, &TimelineScene::keysChanged, &page, [this] {
        memory.setValue(QStringLiteral("timeline/keys"), savedKeys(scene.keys()));
        followKeys();
    });
    QObject::connect(&scene, &TimelineScene::colourByChanged, &page, [this] {
        memory.setValue(QStringLiteral("timeline/colours"), static_cast<int>(scene.colourBy()));
    });
}

void TimelinePage::Parts::connectParts() {
    for (const auto signal : {&Session::captureOpened, &Session::captureChanged, &Session::captureClosed}) {
        QObject::connect(&session, signal, &page, [this] { takeCaptures(); });
    }
    QObject::connect(&shared, &Selection::changed, &page, [this] {
        scene.setContext(shared.current().context);
        followBase();
    });
    QObject::connect(&shared, &Selection::tracksChanged, &page, [this] { takeCaptures(); });
    QObject::connect(&shared, &Selection::shownCaptureChanged, &page, [this] {
        if (shared.current().base) takeCaptures();
    });
    QObject::connect(&scene, &TimelineScene::removalRequested, &page,
                     [this](std::uint32_t track) { shared.removeTrack(track); });
    QObject::connect(message, &TimelineMessage::reportRequested, &page, &TimelinePage::reportRequested);
    QObject::connect(&sampler, &QTimer::timeout, &page, [this] { sampleProgress(); });
    QObject::connect(&scene, &TimelineScene::rowsChanged, &page, [this] {
        applyWanted();
        updateMessage();
    });
    QObject::connect(layout.canvas, &TimelineCanvas::pointerMoved, layout.ruler, &TimeRuler::setPointerX);
    QObject::connect(layout.ruler, &TimeRuler::pointerMoved, &page, [this](std::optional<int> x) {
        layout.ruler->setPointerX(x);
        layout.canvas->setPointerX(x);
    });
    QObject::connect(layout.ruler, &TimeRuler::rangeDragged, layout.canvas, &TimelineCanvas::dragRange);
    QObject::connect(layout.ruler, &TimeRuler::markOpened, &page, [this](std::size_t mark) {
        const ShownMark shown = scene.marks()[mark];
        if (shown.place == ShownMark::kElsewhere) return emit page.momentOpened();
        emit page.markEditWanted(shown.capture, shown.place);
    });
    QObject::connect(layout.ruler, &TimeRuler::markMenuRequested, &page, [this](std::size_t mark, QPoint at) {
        const ShownMark shown = scene.marks()[mark];
        if (shown.place != ShownMark::kElsewhere) emit page.markMenuWanted(shown.capture, shown.place, at);
    });
    QObject::connect(layout.ruler, &TimeRuler::wheelTurned, layout.canvas, &TimelineCanvas::wheel);
    QObject::connect(layout.steps, &StepBand::wheelTurned, layout.canvas, &TimelineCanvas::wheel);
    QObject::connect(layout.header, &TrackHeader::wheelTurned, layout.canvas,
                     [this](QWheelEvent* event) { layout.canvas->wheel(event, layout.canvas->width() / 2); });
    QObject::connect(layout.header, &TrackHeader::keyPassed, layout.canvas, [this](QKeyEvent* event) {
        if (layout.canvas->takeKey(*event)) event->accept();
    });
    QObject::connect(&marks, &Marks::changed, &page, [this] { showMarks(); });
    QObject::connect(&scene, &TimelineScene::rowsChanged, &page, [this] {
        tellShifts();
        showMarks();
    });
    QObject::connect(
        layout.canvas, &TimelineCanvas::markRequested, &page, [this](std::optional<TimeNs> time, std::uint32_t source) {
            if (!addMark(marks, shared.current(), selection, scene.model().sources(), time, source))
                emit page.statusMessage(TimelinePage::tr("Point at a time, or mark a range: the mark is set there."));
        });
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
    QObject::connect(&clocks, &TimelineClocks::changed, &page, [this] {
        takeCaptures();
        emit page.shiftsChanged();
    });
    QObject::connect(&clocks, &TimelineClocks::baseChanged, layout.canvas,
                     [this] { layout.canvas->setBase(clocks.base()); });
    QObject::connect(&clocks, &TimelineClocks::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(&clocks, &TimelineClocks::statusMessage, &page, &TimelinePage::statusMessage);
    QObject::connect(layout.canvas, &TimelineCanvas::clocksRequested, &page, [this](TimelineAction action) {
        if (action == TimelineAction::ClocksByHand) moveByHand();
        else clocks.perform(action);
    });
    QObject::connect(layout.header, &TrackHeader::clocksRequested, &page, [this] { moveByHand(); });
    QObject::connect(&evidence, &EvidenceView::gapsChanged, layout.canvas,
                     [this] { layout.canvas->setGaps(evidence.gaps()); });
    QObject::connect(&evidence, &EvidenceView::placed, &page, [this](DurationNs shift) { placeEvidence(shift); });
    QObject::connect(&evidence, &EvidenceView::noteChanged, &page, &TimelinePage::evidenceNoteChanged);
    QObject::connect(&evidence, &EvidenceView::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(layout.canvas, &TimelineCanvas::copyRequested, &page, [this] { copyDetails(false); });
    QObject::connect(layout.canvas, &TimelineCanvas::peersRequested, &page, &TimelinePage::peerListWanted);
    QObject::connect(layout.canvas, &TimelineCanvas::findRequested, layout.findBar, &FindBar::open);
    QObject::connect(layout.canvas, &TimelineCanvas::hitRequested, &page, [this](bool forward) {
        if (!find.active()) return layout.findBar->open();
        find.step(forward);
    });
    QObject::connect(layout.findBar, &FindBar::closed, layout.canvas, [this] { layout.canvas->setFocus(); });
    QObject::connect(layout.findBar, &FindBar::left, layout.canvas, [this] { layout.canvas->setFocus(); });
    // The search is a mode, which Escape leaves before it touches what is selected.
    layout.canvas->setLeavesFirst([this] {
        const bool isOpen = layout.findBar->isVisible();
        if (isOpen) layout.findBar->close();
        return isOpen;
    });
    QObject::connect(layout.findBar, &FindBar::listRequested, &page, &TimelinePage::findListWanted);
    QObject::connect(&find, &FindFeed::changed, layout.overview,
                     [this] { layout.overview->setHits(find.answer().range, find.answer().marks); });
    QObject::connect(&hitMarks, &HitMarks::changed, layout.canvas,
                     [this] { layout.canvas->setHits(hitMarks.marks()); });
    QObject::connect(&hitMarks, &HitMarks::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(&find, &FindFeed::becameIdle, &page, [this] { tellIdle(); });
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
    QObject::connect(panel, &SelectionPanel::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(&selection, &TimelineSelection::statusMessage, &page, &TimelinePage::statusMessage);
    QObject::connect(layout.canvas, &TimelineCanvas::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(layout.overview, &OverviewStrip::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(&scene, &TimelineScene::becameIdle, &page, [this] { tellIdle(); });
    QObject::connect(&selection, &TimelineSelection::becameIdle, &page, [this] { tellIdle(); });
}

void TimelinePage::Parts::showMarks() {
    std::vector<ShownMark> shown = shownMarks(marks, scene.model().sources());
    if (moment) addMoment(shown, *moment, scene.model().sources());
    scene.setMarks(std::move(shown));
}

/// A base is aligned by the steps that all pages show, and companions show the ranks of these.
void TimelinePage::Parts::followBase() {
    std::pair now(shared.current().base, shared.current().context);
    if (now == beside) return;
    const bool any = now.first || beside.first || !shared.tracks().empty();
    beside = std::move(now);
    if (any) takeCaptures();
}

void TimelinePage::Parts::takeCaptures() {
    // First: it knows what the user has moved.
    clocks.follow();
    std::vector<SceneCapture> captures;
    bool loading = false;
    for (const OpenCapture& capture : session.captures()) {
        if (capture.job != 0) loading = true;
        if (capture.store == nullptr) continue;
        captures.push_back({capture.id, capture.store, capture.times.origin(), clocks.of(capture)});
    }
    addCompanions(captures, session, shared);
    scene.setCaptures(std::move(captures));
    if (loading && !sampler.isActive()) sampler.start();
    sampleProgress();
    updateMessage();
}

/// A marked range is one of times as drawn.
void TimelinePage::Parts::placeEvidence(DurationNs shift) {
    if (!shownEvidence) return;
    SelectionState state = shared.current();
    if (shownEvidence->mark) {
        state.capture = shownEvidence->capture;
        state.range = shifted(*shownEvidence->mark, shift);
        state.slice.reset();
    } else if (state.range == evidenceMark) {
        state.range.reset();
    }
    evidenceMark = shownEvidence->mark ? state.range : std::nullopt;
    shared.set(state);
    if (const auto source = scene.model().sources().sourceOf(shownEvidence->capture))
        scene.showRank(*source, shownEvidence->rank);
    page.showCaptureRange(shownEvidence->capture, shifted(shownEvidence->window, shift));
}

/// To the other views: a marked range is one of times as drawn.
void TimelinePage::Parts::tellShifts() {
    for (const TimelineSource& shown : scene.model().sources()) {
        if (shown.companion != nullptr) continue;
        if (shown.rankShifts == nullptr) {
            shared.setShifts(shown.capture, nullptr);
            continue;
        }
        std::vector<DurationNs> shifts;
        for (std::uint32_t rank = 0; rank < shown.store->ranks.size(); ++rank)
            shifts.push_back(shown.rankShifts->of(rank));
        shared.setShifts(shown.capture, std::make_shared<const std::vector<DurationNs>>(std::move(shifts)),
                         shifted(scene.origin(), {-shown.shift.value}));
    }
}

/// A time comes to the middle of the window, which keeps its length.
void TimelinePage::Parts::goTo() {
    if (scene.window().empty()) return;
    const std::uint32_t source = scene.model().sources().sourceOf(shared.current().capture).value_or(0);
    const auto target = askGoTo(scene.origin(), scene.model().sources()[source].shift, &page);
    if (!target || scene.window().empty()) return;  // closed meanwhile
    if (const auto* slice = std::get_if<SliceId>(&*target)) return emit page.sliceRequested(*slice);
    if (const auto* link = std::get_if<QString>(&*target)) return emit page.linkFollowed(*link);
    const DurationNs half{scene.window().range().length().value / 2};
    const TimeNs begin = std::get<TimeNs>(*target) - half;
    scene.change([&](ViewWindow& window) {
        window.show({begin, begin + window.range().length()}, HistoryMark::NewStep);
    });
}

void TimelinePage::Parts::sampleProgress() {
    std::map<std::uint32_t, double> progress;
    const std::vector<JobStatus> jobs = session.jobs().jobs();
    for (const OpenCapture& capture : session.captures()) {
        if (capture.job == 0) continue;
        double part = 0;
        for (const JobStatus& job : jobs) {
            if (job.id != capture.job || job.progress.total == 0) continue;
            part = std::min(1.0, static_cast<double>(job.progress.done) / static_cast<double>(job.progress.total));
        }
        progress[capture.id] = part;
    }
    if (progress.empty()) sampler.stop();
    scene.setProgress(std::move(progress));
}

void TimelinePage::Parts::applyWanted() {
    if (!wanted || scene.window().empty()) return;
    // Whoever has moved the window since then no longer wants it.
    if (wantedShown && scene.window().range() != *wantedShown) {
        wanted.reset();
        return;
    }
    const TimelineModel& model = scene.model();
    const std::uint32_t source = model.sources().sourceOf(shared.current().capture).value_or(0);
    const TimeRange range = shifted(*wanted, model.sources()[source].shift);
    scene.change(
        [&](ViewWindow& window) { window.show(range, wantedShown ? HistoryMark::Continue : HistoryMark::NewStep); });
    wantedShown = scene.window().range();
    // As long as more is being read, the range may still lie beyond what is known.
    if (scene.progress().empty()) wanted.reset();
}

void TimelinePage::Parts::updateMessage() {
    const bool shown = !scene.window().empty();
    QWidget* now = shown ? layout.body : static_cast<QWidget*>(message);
    QWidget* focus = shown ? layout.canvas : static_cast<QWidget*>(message);
    const bool changes = stack->currentWidget() != now;
    // What is hidden cannot have the focus: it would go to some field of the window, and letters with it.
    const bool hadFocus = page.isAncestorOf(QApplication::focusWidget());
    page.setFocusProxy(focus);
    stack->setCurrentWidget(now);
    if (changes && page.isVisible() && (shown || hadFocus)) focus->setFocus();
    if (!shown) message->refresh();
}

void TimelinePage::Parts::openMenu(const std::optional<CanvasHit>& hit, QPoint at) {
    QMenu menu(&page);
    fillCanvasMenu(
        menu, hit, *layout.canvas, scene, selection,
        {.copyDetails = [this] { copyDetails(false); },
         .copyJson = [this] { copyDetails(true); },
         .findLike = [this] { findLike(); },
         .findCollective =
             [this] {
                 const auto& slice = selection.slice();
                 if (slice)
                     emit page.collectiveRequested(slice->capture, slice->key.rank,
                                                   toQString(slice->trace->name(slice->place.slice)),
                                                   slice->place.range.begin);
             },
         .listSlices = [this](const TrackChoice& tracks, const QString& title) { listSlices(tracks, title); },
         .addExports =
             [this](QMenu& of) {
                 of.addActions(QList<QAction*>(saving->actions().begin(), saving->actions().end()));
             }});
    menu.exec(at);
}

void TimelinePage::Parts::moveByHand() {
    auto* dialog = new ClocksDialog(scene, &page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ClocksDialog::applied, &clocks, &TimelineClocks::setByHand);
    dialog->open();
}

void TimelinePage::Parts::findLike() {
    const auto& slice = selection.slice();
    if (!slice || panel == nullptr) return;
    panel->listLike(slice->capture, std::string(slice->trace->name(slice->place.slice)));
    emit page.selectionPanelWanted(true);
}

void TimelinePage::Parts::listSlices(const TrackChoice& tracks, const QString& title) {
    if ((tracks.capture & kBaseSource) != 0) return selection.chooseTracks(tracks);  // says why not
    if (trackList == nullptr) return;
    trackList->list(tracks, title);
    emit page.trackListWanted();
}

void TimelinePage::Parts::copyDetails(bool asJson) {
    const SelectionState& state = shared.current();
    const OpenCapture* capture = session.capture(state.capture);
    if (!state.slice || capture == nullptr || capture->store == nullptr)
        return emit page.statusMessage(TimelinePage::tr("Nothing is selected: click a slice to copy its details."));
    const auto source = scene.model().sources().sourceOf(state.capture);
    if (!source) return;
    const TimeNs origin = shifted(scene.origin(), {-scene.model().sources()[*source].shift.value});
    copySlot.start([store = capture->store, id = state.capture, key = *state.slice,
                    origin](const CancelToken& cancel) { return readSliceFacts(*store, id, key, origin, cancel); },
                   [this, asJson](const std::optional<SliceFacts>& facts) {
                       if (!facts) return;
                       SliceFacts shown = *facts;
                       shown.shown = page.shownAt(shown.capture, shown.key.rank);
                       QApplication::clipboard()->setText(asJson ? jsonText(shown) : plainText(shown));
                       emit page.statusMessage(TimelinePage::tr("The slice's details are in the clipboard."));
                   });
}

void TimelinePage::Parts::tellIdle() {
    if (page.idle()) emit page.becameIdle();
}

TimelinePage::TimelinePage(Session& session, Selection& selection, Marks& marks, QWidget* parent,
                           const ViewMemory& memory)
    : QWidget(parent), m_parts(std::make_unique<Parts>(*this, session, selection, marks, memory)) {
    m_parts->panel->hide();
    m_parts->findList->hide();
    m_parts->peers->hide();
    m_parts->trackList->hide();
    m_parts->build();
    m_parts->connectParts();
    m_parts->remember();
    m_parts->takeCaptures();
}

TimelinePage::~TimelinePage() {
    // The widgets refer to the parts, so they go first.
    delete m_parts->saving;
    m_parts->sampler.stop();
    delete m_parts->panel;
    delete m_parts->findList;
    delete m_parts->peers;
    delete m_parts->trackList;
    delete m_parts->message;
    delete m_parts->layout.body;
}

void TimelinePage::showRange(TimeRange range) {
    m_parts->wanted = range;
    m_parts->wantedShown.reset();
    m_parts->applyWanted();
}

void TimelinePage::showPlace(std::uint32_t capture, std::uint32_t rank, TimeRange range) {
    const auto source = m_parts->scene.model().sources().sourceOf(capture);
    if (!source) return;
    SelectionState state = m_parts->shared.current();
    if (state.capture != capture) state.slice.reset();
    state.capture = capture;
    state.range = range;
    m_parts->shared.set(state);
    m_parts->scene.showRank(*source, rank);
    showRange(range);
}

void TimelinePage::showCaptureRange(std::uint32_t capture, TimeRange range) {
    const auto source = m_parts->scene.model().sources().sourceOf(capture);
    if (!source) return;
    const TimeRange onAxis = shifted(range, m_parts->scene.model().sources()[*source].shift);
    m_parts->scene.change([&](ViewWindow& window) { window.show(onAxis, HistoryMark::NewStep); });
}

void TimelinePage::showEvidence(const TimelineEvidence& evidence) {
    m_parts->shownEvidence = evidence;
    m_parts->evidence.show(evidence);
}

void TimelinePage::clearEvidence() {
    m_parts->shownEvidence.reset();
    m_parts->evidence.clear();
}

QString TimelinePage::evidenceNote() const { return m_parts->evidence.note(); }

void TimelinePage::showRank(std::uint32_t capture, std::uint32_t rank) {
    if (const auto source = m_parts->scene.model().sources().sourceOf(capture)) m_parts->scene.showRank(*source, rank);
}

void TimelinePage::showMoment(std::uint32_t capture, std::uint32_t rank, std::optional<TimeNs> time,
                              const QString& title) {
    m_parts->moment = time ? std::optional(MomentElsewhere{capture, rank, *time, title}) : std::nullopt;
    m_parts->showMarks();
}

void TimelinePage::openFind() {
    if (!m_parts->scene.window().empty()) m_parts->layout.findBar->open();
}

void TimelinePage::find(const QString& name) {
    if (!m_parts->scene.window().empty()) m_parts->layout.findBar->find(name);
}

void TimelinePage::undoView(bool again) {
    m_parts->layout.canvas->perform(again ? TimelineAction::RedoView : TimelineAction::UndoView);
}

void TimelinePage::copySelection() { m_parts->copyDetails(false); }

std::vector<QAction*> TimelinePage::exportActions() const {
    if (m_parts->scene.window().empty()) return {};
    return {m_parts->saving->actions().begin(), m_parts->saving->actions().end()};
}

QJsonObject TimelinePage::state(const WorkspaceIds& captures) const { return m_parts->kept.state(captures); }

void TimelinePage::restore(const QJsonObject& state, const WorkspaceIds& captures) {
    m_parts->wanted.reset();
    m_parts->kept.restore(state, captures);
}

std::optional<TimeRange> TimelinePage::visibleRange() const {
    if (m_parts->scene.window().empty()) return std::nullopt;
    return m_parts->scene.window().range();
}

std::optional<TimeRange> TimelinePage::captureRange(std::uint32_t capture) const {
    const auto source = m_parts->scene.model().sources().sourceOf(capture);
    if (!source || m_parts->scene.window().empty()) return std::nullopt;
    return shifted(m_parts->scene.window().range(), {-m_parts->scene.model().sources()[*source].shift.value});
}

std::optional<ShownAt> TimelinePage::shownAt(std::uint32_t capture, std::uint32_t rank) const {
    const TimelineModel& model = m_parts->scene.model();
    const auto source = model.sources().sourceOf(capture);
    if (!source) return std::nullopt;
    const TimelineSource& shown = model.sources()[*source];
    const DurationNs by = shown.rankShifts == nullptr ? DurationNs{} : shown.rankShifts->of(rank);
    if (by.value == 0) return std::nullopt;
    return ShownAt{by, shifted(m_parts->scene.origin(), {-shown.shift.value}),
                   shiftOriginText(shown.rankShifts.get(), rank)};
}

bool TimelinePage::showsAll() const { return m_parts->scene.isAsOpened(); }

bool TimelinePage::idle() const {
    const bool drawn = m_parts->scene.window().empty() || !m_parts->layout.canvas->isVisible() ||
                       (m_parts->layout.canvas->idle() && m_parts->layout.overview->idle());
    const bool listed = m_parts->trackList == nullptr || m_parts->trackList->idle();
    return m_parts->scene.idle() && m_parts->layouts.idle() && m_parts->kept.idle() && m_parts->selection.idle() &&
           m_parts->find.idle() && m_parts->hitMarks.idle() && m_parts->clocks.idle() && m_parts->evidence.idle() &&
           (m_parts->panel == nullptr || m_parts->panel->idle()) && listed && drawn;
}

QWidget* TimelinePage::selectionPanel() const { return m_parts->panel; }

QWidget* TimelinePage::trackList() const { return m_parts->trackList; }

QWidget* TimelinePage::findList() const { return m_parts->findList; }

QWidget* TimelinePage::peerList() const { return m_parts->peers; }

std::vector<QAction*> TimelinePage::commands() const {
    if (m_parts->scene.window().empty()) return {};
    std::vector<QAction*> all = m_parts->commands;
    all.insert(all.end(), m_parts->saving->actions().begin(), m_parts->saving->actions().end());
    return all;
}

void TimelinePage::showKeys() {
    auto* dialog = new KeysDialog(m_parts->scene, this);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->show();
}

void TimelinePage::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) {
        m_parts->layout.followFont();
    } else if (event->type() == QEvent::LanguageChange) {
        m_parts->retranslate();
    }
}

}  // namespace altiscope
