#include "views/timeline/page/timeline_page.h"

#include "views/common/plots/time_axis.h"
#include "views/timeline/canvas/track_header.h"
#include "views/timeline/overlay/overview_strip.h"
#include "views/timeline/page/colour_rules_panel.h"
#include "views/timeline/page/keys_dialog.h"
#include "views/timeline/page/timeline_bindings.h"
#include "views/timeline/page/timeline_parts.h"
#include "views/timeline/panels/find_bar.h"
#include "views/timeline/panels/slice_text.h"
#include "views/timeline/times/shift_text.h"

#include <QEvent>

namespace altiscope {

TimelinePage::TimelinePage(Session& session, Selection& selection, Marks& marks, QWidget* parent,
                           const ViewMemory& memory)
    : DataPage(parent), m_parts(std::make_unique<Parts>(*this, session, selection, marks, memory)) {
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
    // A widget that is deleted gives its room to others, which resize: no slot may run on what is half deleted.
    m_parts->scene.blockSignals(true);
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

void TimelinePage::showRange(TimeRange range) { m_parts->want(range, std::nullopt); }

bool TimelinePage::shows(CaptureId capture) const {
    return m_parts->scene.model().sources().sourceOf(capture).has_value();
}

void TimelinePage::showPlace(CaptureId capture, RankIndex rank, TimeRange range) {
    SelectionState state = m_parts->shared.current();
    if (state.capture != capture) state.slice.reset();
    state.capture = capture;
    state.range = range;
    m_parts->shared.set(state);
    if (const auto source = m_parts->scene.model().sources().sourceOf(capture)) m_parts->scene.showRank(*source, rank);
    m_parts->want(range, capture);
}

void TimelinePage::showCaptureRange(CaptureId capture, TimeRange range) {
    const auto source = m_parts->scene.model().sources().sourceOf(capture);
    if (!source) return m_parts->want(range, capture);
    const TimeRange onAxis = shifted(range, m_parts->scene.model().sources()[*source].shift);
    m_parts->scene.change([&](ViewWindow& window) { window.show(onAxis, HistoryMark::NewStep); });
}

void TimelinePage::showEvidence(const TimelineEvidence& evidence) {
    m_parts->shownEvidence = evidence;
    m_parts->evidence.show(evidence);
    // A launch is shown with the gap before it, though it may be a thousand times as long.
    if (!evidence.mark && !evidence.gaps.empty()) m_parts->selection.keepWindowOnce();
}

void TimelinePage::clearEvidence() {
    m_parts->shownEvidence.reset();
    m_parts->unmarkEvidence();
    m_parts->evidence.clear();
}

QString TimelinePage::evidenceNote() const { return m_parts->evidence.note(); }

void TimelinePage::showRank(CaptureId capture, RankIndex rank) {
    if (const auto source = m_parts->scene.model().sources().sourceOf(capture)) m_parts->scene.showRank(*source, rank);
}

void TimelinePage::showTrack(CaptureId capture, RankIndex rank, TrackId track) {
    TimelineScene& scene = m_parts->scene;
    const auto source = scene.model().sources().sourceOf(capture);
    if (!source || rank.value >= scene.model().sources()[*source].store->ranks.size()) return;
    const auto& trace = scene.model().sources()[*source].store->ranks[rank.value].trace;
    const auto index = trace == nullptr ? std::nullopt : trace->findTrack(track);
    if (!index) return;
    scene.expandTo(*source, rank, *index);
    const auto place = scene.model().placeOf(*source, rank, *index);
    if (!place) {
        return emit statusMessage(
            tr("The track is hidden, empty or on a rank that is not shown: show all tracks and ranks to see it."));
    }
    const TimelineRow& row = scene.model().rows()[place->row];
    scene.viewport().bringIntoSight(row, row.top, row.height);
    m_parts->layout.header->chooseRow(scene.model().sources().keyOf(row));
}

void TimelinePage::showMoment(CaptureId capture, RankIndex rank, std::optional<TimeNs> time, const QString& title) {
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

std::optional<TimeRange> TimelinePage::captureRange(CaptureId capture) const {
    const auto source = m_parts->scene.model().sources().sourceOf(capture);
    if (!source || m_parts->scene.window().empty()) return std::nullopt;
    return shifted(m_parts->scene.window().range(), {-m_parts->scene.model().sources()[*source].shift.value});
}

std::optional<ShownAt> TimelinePage::shownAt(CaptureId capture, RankIndex rank, TrackId track) const {
    const TimelineModel& model = m_parts->scene.model();
    const auto source = model.sources().sourceOf(capture);
    if (!source) return std::nullopt;
    const TimelineSource& shown = model.sources()[*source];
    if (shown.rankShifts == nullptr || rank.value >= shown.store->ranks.size()) return std::nullopt;
    const auto& trace = shown.store->ranks[rank.value].trace;
    const auto index = trace == nullptr ? std::nullopt : trace->findTrack(track);
    const DurationNs by = index ? shown.rankShifts->of(rank, *index) : shown.rankShifts->of(rank);
    if (by.value == 0) return std::nullopt;
    // Alone, or on top of its rank's.
    if (by != shown.rankShifts->of(rank))
        return ShownAt{by, shifted(m_parts->scene.origin(), {-shown.shift.value}), shiftOriginText(ShiftOrigin::Hand)};
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

KeyBindings* TimelinePage::makeKeyBindings(QObject* parent) { return new TimelineBindings(m_parts->scene, parent); }

QWidget* TimelinePage::makeColourRules(QWidget* parent) { return new ColourRulesPanel(m_parts->scene, parent); }

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
