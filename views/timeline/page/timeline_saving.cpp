#include "views/timeline/page/timeline_saving.h"

#include "core/session/session.h"
#include "core/session/trace_saving.h"
#include "views/common/plots/time_axis.h"
#include "views/common/support/data_texts.h"
#include "views/common/support/formatters.h"
#include "views/common/support/save_dialog.h"
#include "views/common/theme/theme.h"
#include "views/timeline/picture/trace_picture.h"

#include <QAction>
#include <QFileInfo>
#include <QPointer>
#include <QWidget>

#include <algorithm>

namespace altiscope {

namespace {

using namespace Qt::StringLiterals;

/// All tracks with events that are shown or lie in a collapsed row, as they were recorded.
std::vector<std::pair<RankIndex, TrackId>> shownTracks(const TimelineModel& model, std::uint32_t source) {
    std::vector<std::pair<RankIndex, TrackId>> tracks;
    const auto& ranks = model.sources()[source].store->ranks;
    for (RankIndex rank; rank.value < ranks.size(); ++rank.value) {
        const auto& trace = ranks[rank.value].trace;
        for (std::uint32_t t = 0; trace != nullptr && t < trace->tracks().size(); ++t) {
            if (trace->track({t}).origin == Origin::Recorded && model.placeOf(source, rank, {t}))
                tracks.emplace_back(rank, trace->track({t}).id);
        }
    }
    return tracks;
}

}  // namespace

TimelineSaving::TimelineSaving(Session& session, TimelineScene& scene, TimelineSelection& selection, QWidget& look)
    : QObject(&look), m_session(session), m_scene(scene), m_selection(selection), m_look(look) {
    m_actions = {new QAction(this), new QAction(this), new QAction(this)};
    connect(m_actions[0], &QAction::triggered, this, &TimelineSaving::saveTraceAs);
    connect(m_actions[1], &QAction::triggered, this, [this] { savePictureOf(Pictured::Seen); });
    connect(m_actions[2], &QAction::triggered, this, [this] { savePictureOf(Pictured::All); });
    retranslate();
}

void TimelineSaving::retranslate() {
    const char* const names[] = {QT_TR_NOOP("Save this part as Chrome &JSON…"),
                                 QT_TR_NOOP("Save the &picture of this part…"),
                                 QT_TR_NOOP("Save the picture of &all tracks…")};
    for (std::size_t i = 0; i < m_actions.size(); ++i) {
        m_actions[i]->setText(tr(names[i]));
        m_actions[i]->setProperty("english", QString::fromUtf8(names[i]));
    }
}

/// The capture that is looked at.
std::optional<std::uint32_t> TimelineSaving::source() const {
    const TimelineModel& model = m_scene.model();
    if (model.sources().empty() || m_scene.window().empty()) return std::nullopt;
    const TrackChoice* tracks = m_selection.tracks();
    // Tracks of a capture that is closed mean nothing.
    return tracks != nullptr ? model.sources().sourceOf(tracks->capture)
                             : std::optional(model.sources().sourceOf(m_selection.capture()).value_or(0));
}

TimeRange TimelineSaving::range() const { return m_selection.markedRange().value_or(m_scene.window().range()); }

QString TimelineSaving::nameOf(std::uint32_t source) const {
    return QFileInfo(toQString(m_scene.model().sources()[source].store->path)).fileName();
}

QString TimelineSaving::whatItShows(std::uint32_t source) const {
    return tr("%1: from %2, %3 long")
        .arg(nameOf(source), formatRelativeTime(range().begin, m_scene.origin()), formatDuration(range().length()));
}

void TimelineSaving::saveTraceAs() {
    const auto from = source();
    if (!from) return;
    const QString file =
        chooseSaveFile(&m_look, tr("Save this part as Chrome JSON"), nameOf(*from), tr("Chrome JSON (*.json)"));
    if (!file.isEmpty()) saveTrace(file);
}

void TimelineSaving::savePictureOf(Pictured what) {
    const auto from = source();
    if (!from) return;
    const QString file =
        chooseSaveFile(&m_look, tr("Save the picture of this part"), nameOf(*from), u"PNG (*.png);;SVG (*.svg)"_s);
    if (!file.isEmpty()) savePicture(file, what);
}

void TimelineSaving::saveTrace(const QString& file) {
    const auto from = source();
    if (!from) return;
    const TimelineSource& shown = m_scene.model().sources()[*from];
    TraceCut cut{.capture = shown.store, .range = shifted(range(), {-shown.shift.value}), .tracks = {}, .clocks = {}};
    // Where clocks are drawn aligned, each rank's part is the one that is seen.
    for (RankIndex rank; rank.value < shown.store->ranks.size(); ++rank.value)
        cut.clocks.push_back({m_scene.model().sources().shiftOf(*from, rank).value - shown.shift.value});
    if (const TrackChoice* tracks = m_selection.tracks()) {
        for (const TrackChoice::Part& part : tracks->parts) cut.tracks.emplace_back(part.rank, part.track);
    } else {
        cut.tracks = shownTracks(m_scene.model(), *from);
    }
    altiscope::saveTrace(
        m_session, std::move(cut), file, [self = QPointer<TimelineSaving>(this), file](const TraceSaved& saved) {
            if (!self || saved.cancelled) return;
            if (saved.problem) return emit self->statusMessage(tr("Not saved: %1").arg(errorSentence(*saved.problem)));
            QString text =
                tr("%1: %2 slices, %3 counter samples, %4 flows")
                    .arg(file, formatCount(saved.slices), formatCount(saved.samples), formatCount(saved.flows));
            if (saved.lostArguments) text += tr("; some arguments could not be read any more");
            emit self->statusMessage(text);
        });
}

void TimelineSaving::savePicture(const QString& file, Pictured what) {
    const auto from = source();
    if (!from) return;
    if (const auto refused = m_session.refusedToWrite(file))
        return emit statusMessage(tr("Not saved: %1").arg(errorSentence(*refused)));
    const TrackChoice* tracks = what == Pictured::All ? nullptr : m_selection.tracks();
    std::optional<std::vector<std::size_t>> rows;
    if (what == Pictured::Seen && tracks == nullptr) {
        rows = m_scene.viewport().rowsInSight(m_scene.viewport().height());
        // Groups that are kept in sight above the others come last in that list.
        std::sort(rows->begin(), rows->end());
    }
    TracePicture picture = pictureOf(m_scene, tracks, range(), m_look.width(), m_look.devicePixelRatioF(),
                                     m_look.font(), themeOf(m_look.palette()), rows ? &*rows : nullptr);
    picture.source = whatItShows(*from);
    if (picture.excluded > 0) picture.source += tr("; %1 further rows do not fit").arg(formatCount(picture.excluded));
    m_session.jobs().start(
        file,
        [picture = std::move(picture), file](ProgressSlot& progress, const CancelToken& cancel) {
            progress.setPhase(ProgressPhase::Writing);
            const auto problem = writePicture(picture, file, cancel);
            return std::shared_ptr<const void>(problem ? std::make_shared<const QString>(*problem) : nullptr);
        },
        [self = QPointer<TimelineSaving>(this), file](const std::shared_ptr<const void>& result) {
            const auto* problem = static_cast<const QString*>(result.get());
            if (!self || problem == nullptr) return;
            emit self->statusMessage(problem->isEmpty() ? tr("%1 is written").arg(file)
                                                        : tr("Not saved: %1").arg(*problem));
        });
}

}  // namespace altiscope
