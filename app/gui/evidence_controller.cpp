#include "app/gui/evidence_controller.h"

#include "core/session/findings_loader.h"
#include "core/session/selection.h"
#include "core/session/session.h"
#include "views/common/support/formatters.h"
#include "views/findings/evidence_bar.h"
#include "views/memory/memory_page.h"
#include "views/timeline/page/timeline_page.h"
#include "views/timeline/scene/timeline_evidence.h"

#include <algorithm>
#include <optional>

namespace altiscope {

namespace {

/// A range with half of its length on either side, so that one sees what is around it.
TimeRange withSurroundings(TimeRange range) {
    const DurationNs around{std::max<std::int64_t>(range.length().value / 2, 500)};
    return {range.begin - around, range.end + around};
}

}  // namespace

EvidenceController::EvidenceController(const WindowServices& services, FindingsLoader& loader, TimelinePage& timeline,
                                       QWidget* parent)
    : QObject(parent), m_services(services), m_loader(loader), m_timeline(timeline), m_bar(new EvidenceBar(parent)) {
    connect(m_bar, &EvidenceBar::spotChanged, this, &EvidenceController::follow);
    connect(m_bar, &EvidenceBar::closed, &timeline, &TimelinePage::clearEvidence);
    connect(m_bar, &EvidenceBar::listRequested, this, [this] {
        // Rules may have run again since.
        if (m_bar->found() == m_loader.found()) emit listRequested(m_bar->index());
        else emit listRequested(m_loader.found()->findings.size());
    });
    connect(&timeline, &TimelinePage::evidenceNoteChanged, this, [this] { m_bar->setNote(m_timeline.evidenceNote()); });
    // The evidence is that of one capture.
    connect(&services.selection, &Selection::shownCaptureChanged, m_bar, &EvidenceBar::close);
    connect(&services.session, &Session::captureClosed, m_bar, [this](CaptureId capture) {
        if (capture == m_capture) m_bar->close();
    });
}

void EvidenceController::show(std::size_t finding, std::size_t spot) {
    m_capture = m_loader.shown();
    m_bar->show(m_loader.found(), finding, spot);
    follow();
}

void EvidenceController::follow() {
    const auto spot = m_bar->spot();
    if (!spot) {
        m_timeline.clearEvidence();
        return emit listRequested(m_bar->index());
    }
    const FindingEvidence& evidence = m_bar->finding()->evidence;
    TimelineEvidence wanted;
    wanted.capture = m_capture;
    wanted.isOfIdleDevice = evidence.isOfIdleDevice;
    wanted.peers = evidence.peers;
    wanted.counter = evidence.counter;
    switch (spot->kind) {
    case EvidenceSpot::Kind::Rows:
        if (!evidence.ranges.empty() && isOfMemory(evidence)) return showMemory(rangeOfSpot(evidence, 0), evidence);
        m_timeline.clearEvidence();
        return emit rowsRequested(evidence.rows[spot->place]);
    case EvidenceSpot::Kind::Range:
        if (isOfMemory(evidence)) return showMemory(rangeOfSpot(evidence, spot->place), evidence);
        wanted.rank = evidence.ranges[spot->place].rank;
        wanted.window = wanted.mark.emplace(evidence.ranges[spot->place].range);
        wanted.host = evidence.ranges[spot->place].host;
        wanted.isOfWaits = topicOf(m_bar->finding()->rule) == RuleTopic::Communication;
        if (evidence.ranges[spot->place].isGap) wanted.window = withSurroundings(wanted.window);
        break;
    case EvidenceSpot::Kind::Slice:
        wanted.rank = evidence.slices[spot->place].rank;
        wanted.window = evidence.slices[spot->place].slice.range;
        wanted.slice = evidence.slices[spot->place].slice.id;
        if (isSequence(*m_bar->found()->capture, evidence.slices[spot->place])) wanted.mark = wanted.window;
        // With the gap that leads to it.
        for (const FindingEvidence::Range& range : evidence.ranges) {
            if (range.isGap && range.rank == wanted.rank && range.range.end == wanted.window.begin)
                wanted.window.begin = range.range.begin;
        }
        wanted.window = withSurroundings(wanted.window);
        break;
    }
    for (const FindingEvidence::Range& range : evidence.ranges) {
        if (range.isGap && range.rank == wanted.rank) wanted.gaps.push_back(range.range);
    }
    std::sort(wanted.gaps.begin(), wanted.gaps.end(),
              [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    m_timeline.showEvidence(wanted);
    if (spot->kind == EvidenceSpot::Kind::Slice && !wanted.mark)
        emit sliceRequested(evidence.slices[spot->place].slice.id);
    else emit timelineRequested();
}

/// The timeline shows the same time.
void EvidenceController::showMemory(const FindingEvidence::Range& of, const FindingEvidence& evidence) {
    TimelineEvidence wanted;
    wanted.capture = m_capture;
    wanted.rank = of.rank;
    wanted.window = wanted.mark.emplace(of.range);
    m_timeline.showEvidence(wanted);
    emit memoryRequested({m_capture, of.rank, of.range, evidence.levels});
}

}  // namespace altiscope
