#include "views/timeline/page/timeline_parts.h"

#include "views/common/plots/time_axis.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/page/clocks_dialog.h"
#include "views/timeline/page/timeline_companions.h"
#include "views/timeline/page/timeline_dialogs.h"
#include "views/timeline/panels/flow_button.h"
#include "views/timeline/panels/go_to.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/panels/track_filter_button.h"
#include "views/timeline/times/shift_text.h"

#include <QApplication>
#include <QClipboard>
#include <QJsonDocument>

#include <algorithm>
#include <map>

namespace altiscope {

namespace {

/// Progress of imports is sampled, see ProgressSlot.
constexpr int kSampleMs = 200;

}  // namespace

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
    scene.setColourRules(rulesFrom(
        QJsonDocument::fromJson(memory.value(QStringLiteral("timeline/colour_rules")).toString().toUtf8()).array()));
    followKeys();
    layout.flows->remember(memory);
    QObject::connect(&scene, &TimelineScene::keysChanged, &page, [this] {
        memory.setValue(QStringLiteral("timeline/keys"), savedKeys(scene.keys()));
        followKeys();
    });
    QObject::connect(&scene, &TimelineScene::colourRulesChanged, &page, [this] {
        memory.setValue(
            QStringLiteral("timeline/colour_rules"),
            QString::fromUtf8(QJsonDocument(savedRules(scene.colourRules())).toJson(QJsonDocument::Compact)));
    });
    QObject::connect(&scene, &TimelineScene::colourByChanged, &page, [this] {
        memory.setValue(QStringLiteral("timeline/colours"), static_cast<int>(scene.colourBy()));
    });
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
    std::vector<SceneCapture> captures = capturesOnAxis(session, shared);
    for (SceneCapture& capture : captures) capture.rankShifts = clocks.of(*session.capture(capture.capture));
    const bool loading = std::any_of(session.captures().begin(), session.captures().end(),
                                     [](const OpenCapture& capture) { return capture.job != 0; });
    addCompanions(captures, session, shared);
    scene.setCaptures(std::move(captures));
    if (loading && !sampler.isActive()) sampler.start();
    sampleProgress();
    updateMessage();
}

/// Takes the range away that evidence marked, unless another one was marked since.
void TimelinePage::Parts::unmarkEvidence() {
    SelectionState state = shared.current();
    if (evidenceMark && state.range == evidenceMark) {
        state.range.reset();
        shared.set(state);
    }
    evidenceMark.reset();
    if (selection.tracks() != nullptr && *selection.tracks() == evidenceTracks) selection.chooseAllTracks();
    evidenceTracks = {};
}

/// The panel below sums up what is marked, on the tracks that the finding is about.
void TimelinePage::Parts::chooseEvidence() {
    if (!shownEvidence || !evidenceMark || shared.current().range != evidenceMark) return;
    evidenceTracks = evidence.tracks();
    if (!evidenceTracks.parts.empty()) selection.chooseTracksOfRange(evidenceTracks);
}

/// A marked range is one of times as drawn.
void TimelinePage::Parts::placeEvidence(DurationNs shift) {
    if (!shownEvidence) return;
    if (shownEvidence->mark) {
        SelectionState state = shared.current();
        state.capture = shownEvidence->capture;
        state.range = shifted(*shownEvidence->mark, shift);
        state.slice.reset();
        evidenceMark = state.range;
        shared.set(state);
    } else {
        unmarkEvidence();
    }
    if (const auto source = scene.model().sources().sourceOf(shownEvidence->capture))
        scene.showRank(*source, shownEvidence->rank);
    page.showCaptureRange(shownEvidence->capture, shifted(shownEvidence->window, shift));
}

/// To the other views: a marked range is one of times as drawn.
void TimelinePage::Parts::publishShifts() {
    for (const OpenCapture& capture : session.captures())
        if (!scene.model().sources().sourceOf(capture.id)) shared.setShifts(capture.id, nullptr);
    for (const TimelineSource& shown : scene.model().sources()) {
        if (shown.companion != nullptr) continue;
        const TimeNs origin = shifted(scene.origin(), {-shown.shift.value});
        if (shown.rankShifts == nullptr) {
            shared.setShifts(shown.capture, nullptr, origin);
            continue;
        }
        std::vector<DurationNs> shifts;
        for (RankIndex rank; rank.value < shown.store->ranks.size(); ++rank.value)
            shifts.push_back(shown.rankShifts->of(rank));
        shared.setShifts(shown.capture, std::make_shared<const std::vector<DurationNs>>(std::move(shifts)), origin);
    }
}

/// A time comes to the middle of the window, which keeps its length.
void TimelinePage::Parts::goTo() {
    if (scene.window().empty()) return;
    const std::uint32_t source = scene.model().sources().sourceOf(shared.current().capture).value_or(0);
    const auto target = promptGoTo(scene.origin(), scene.model().sources()[source].shift, &page);
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
    std::map<CaptureId, double> progress;
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

void TimelinePage::Parts::want(TimeRange range, std::optional<CaptureId> capture) {
    wanted = range;
    wantedIn = capture;
    wantedShown.reset();
    applyWanted();
}

void TimelinePage::Parts::applyWanted() {
    if (!wanted || scene.window().empty()) return;
    if (wantedIn && !scene.model().sources().sourceOf(*wantedIn)) return;
    // Not if the user has moved the window since then.
    if (wantedShown && scene.window().range() != *wantedShown) {
        wanted.reset();
        return;
    }
    const TimelineModel& model = scene.model();
    const std::uint32_t source = model.sources().sourceOf(wantedIn.value_or(shared.current().capture)).value_or(0);
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
    // A hidden widget cannot have the focus: it would go to some field of the window, and letters with it.
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

std::vector<ShiftAnchor> TimelinePage::Parts::shiftAnchors() const {
    std::vector<ShiftAnchor> anchors;
    if (const auto slice = selection.sliceRange())
        anchors.push_back({TimelinePage::tr("the selected slice"), slice->begin});
    if (const auto marked = selection.markedRange())
        anchors.push_back({TimelinePage::tr("the marked time"), marked->begin});
    for (const ShownMark& mark : scene.marks()) {
        if (mark.place == ShownMark::kElsewhere) continue;
        anchors.push_back({mark.name.isEmpty() ? TimelinePage::tr("a mark") : mark.name, mark.range.begin});
    }
    return anchors;
}

/// A rank as a whole, or the tracks of one of its processes.
void TimelinePage::Parts::shiftRow(const RowKey& row) {
    const TimelineSources& sources = scene.model().sources();
    const auto source = sources.sourceOf(row.capture);
    const TraceStore* trace = source && row.rank.value < sources[*source].store->ranks.size()
                                  ? sources[*source].store->ranks[row.rank.value].trace.get()
                                  : nullptr;
    if (trace == nullptr) return;
    const auto track = row.kind == TimelineRowKind::Rank ? std::nullopt : trace->findTrack({row.id});
    if (row.kind != TimelineRowKind::Rank && !track) return;
    const std::string process = track ? trace->track(*track).pid : std::string();
    ShiftSubject subject{.title = rankTitle(sources[*source].store->ranks[row.rank.value].info),
                         .origin = scene.origin()};
    const DurationNs drawn = sources.shiftOf(*source, row.rank);
    if (track) {
        subject.title += QStringLiteral(" / ") + toQString(trace->track(*track).process);
        subject.by = clocks.trackGroup(row.capture, row.rank, process);
        subject.isOfRank = false;
        if (const auto first = firstEventOf(*trace, process)) subject.first = shifted(*first, drawn);
    } else {
        subject.by = clocks.shiftOf(row.capture, row.rank).value;
        if (!trace->range().empty()) subject.first = shifted(trace->homeRange().begin, {drawn.value - subject.by});
    }
    subject.anchors = shiftAnchors();
    auto* dialog = new ShiftDialog(std::move(subject), &page);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    QObject::connect(dialog, &ShiftDialog::applied, &page, [this, row, process](std::int64_t by) {
        if (row.kind != TimelineRowKind::Rank) return clocks.setTrackGroup(row.capture, row.rank, process, by);
        const OpenCapture* open = session.capture(row.capture);
        if (open == nullptr || open->store == nullptr) return;
        std::vector<std::int64_t> shifts;
        for (RankIndex rank; rank.value < open->store->ranks.size(); ++rank.value)
            shifts.push_back(rank == row.rank ? by : clocks.shiftOf(row.capture, rank).value);
        clocks.setByHand(row.capture, shifts);
    });
    dialog->open();
}

void TimelinePage::Parts::findLike() {
    const auto& slice = selection.slice();
    if (!slice || panel == nullptr) return;
    panel->listLike(slice->capture, std::string(slice->trace->name(slice->place.slice)));
    emit page.selectionPanelWanted(true);
}

void TimelinePage::Parts::listSlices(const TrackChoice& tracks, const QString& title) {
    if (!isOpenCapture(tracks.capture)) return selection.chooseTracks(tracks);  // says why not
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
                       shown.shown = page.shownAt(shown.capture, shown.key.rank, shown.track.id);
                       QApplication::clipboard()->setText(asJson ? jsonText(shown) : plainText(shown));
                       emit page.statusMessage(TimelinePage::tr("The slice's details are in the clipboard."));
                   });
}

void TimelinePage::Parts::emitIdle() {
    if (page.idle()) emit page.becameIdle();
}

}  // namespace altiscope
