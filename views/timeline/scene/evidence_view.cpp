#include "views/timeline/scene/evidence_view.h"

#include "core/analysis/steps/device_activity.h"
#include "views/common/support/formatters.h"
#include "views/timeline/scene/timeline_clocks.h"
#include "views/timeline/scene/timeline_scene.h"

#include <algorithm>
#include <map>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

/// By the name of a slice of the device: a kernel that is no collective.
bool isComputing(std::string_view name) { return isKernelName(name) && !name.starts_with("hcom_"); }

/// The track of another rank that corresponds to a given one.
std::optional<std::uint32_t> sameTrack(const TraceStore& trace, const Track& wanted) {
    for (std::uint32_t t = 0; t < trace.tracks().size(); ++t) {
        const Track& track = trace.track({t});
        if (track.kind == wanted.kind && track.process == wanted.process && track.name == wanted.name) return t;
    }
    return std::nullopt;
}

RowKey rowOf(CaptureId capture, RankIndex rank, const Track& track) {
    return {capture, rank, TimelineRowKind::Thread, track.id.value};
}

}  // namespace

std::optional<std::uint32_t> busiestStream(const TraceStore& trace) {
    std::map<std::uint32_t, std::int64_t> times;
    for (const NameStat& stat : trace.columns().nameStats.span()) {
        if (trace.track({stat.track}).kind == TrackKind::Hardware && isComputing(trace.text(stat.name)))
            times[stat.track] += stat.total;
    }
    const auto most =
        std::max_element(times.begin(), times.end(), [](const auto& a, const auto& b) { return a.second < b.second; });
    return most == times.end() ? std::nullopt : std::optional(most->first);
}

DeviceGaps deviceGaps(const RankEntry& rank, TimeRange window, const CancelToken& cancel) {
    DeviceGaps found;
    const auto activity = readDeviceActivity(rank, cancel);
    if (!activity || cancel.cancelled()) return found;
    IntervalSet busiest;
    for (const DeviceBusyTimes& device : activity->devices) {
        IntervalSet busy = unionOf(device.computing, device.communication);
        // One that does nothing within the window is free all the time.
        if (busiest.empty() || lengthWithin(busy, window) > lengthWithin(busiest, window)) busiest = std::move(busy);
    }
    IntervalSet gaps = clipped(gapsOf(busiest), window);
    found.count = gaps.size();
    found.total = lengthOf(gaps);
    if (gaps.size() > DeviceGaps::kMaxGaps) {
        std::nth_element(gaps.begin(), gaps.begin() + DeviceGaps::kMaxGaps, gaps.end(),
                         [](const TimeRange& a, const TimeRange& b) { return a.length() > b.length(); });
        gaps.resize(DeviceGaps::kMaxGaps);
        std::sort(gaps.begin(), gaps.end(), [](const TimeRange& a, const TimeRange& b) { return a.begin < b.begin; });
    }
    found.longest = std::move(gaps);
    return found;
}

EvidenceView::EvidenceView(TimelineScene& scene, TimelineClocks& clocks, QObject* parent)
    : QObject(parent), m_scene(scene), m_clocks(clocks), m_slot(scene.jobs()) {
    connect(&clocks, &TimelineClocks::becameIdle, this, &EvidenceView::place);
    connect(&scene, &TimelineScene::rowsChanged, this, &EvidenceView::place);
}

void EvidenceView::show(TimelineEvidence evidence) {
    const auto source = m_scene.model().sources().sourceOf(evidence.capture);
    if (!source || evidence.rank.value >= m_scene.model().sources()[*source].store->ranks.size()) return clear();
    const bool samePeers = m_evidence && m_evidence->capture == evidence.capture && m_evidence->rank == evidence.rank &&
                           m_evidence->peers == evidence.peers;
    if (!samePeers) unpin();
    m_gaps = {evidence.capture, evidence.rank, false, evidence.gaps};
    m_found = {};
    m_evidence = std::move(evidence);
    m_placedWith.reset();
    if (!m_evidence->peers.empty()) m_clocks.align();
    m_waitsForClocks = !m_clocks.idle();
    place();
    emit gapsChanged();
    emit noteChanged();
    if (!m_evidence->isOfIdleDevice && ((samePeers && !m_pinned.empty()) || m_evidence->peers.empty()))
        return m_slot.cancel();
    m_slot.start([store = m_scene.model().sources()[*source].store,
                  wanted = *m_evidence](const CancelToken& cancel) { return find(*store, wanted, cancel); },
                 [this](Found result) {
                     take(std::move(result));
                     emit becameIdle();
                 });
}

void EvidenceView::clear() {
    m_slot.cancel();
    unpin();
    m_evidence.reset();
    m_gaps = {};
    m_found = {};
    m_waitsForClocks = false;
    emit gapsChanged();
    emit noteChanged();
}

EvidenceView::Found EvidenceView::find(const CaptureStore& capture, const TimelineEvidence& evidence,
                                       const CancelToken& cancel) {
    Found result;
    const RankEntry& rank = capture.ranks[evidence.rank.value];
    if (evidence.isOfIdleDevice) result.gaps = deviceGaps(rank, evidence.window, cancel);
    if (evidence.peers.empty() || rank.trace == nullptr) return result;
    const auto stream = busiestStream(*rank.trace);
    if (!stream) return result;
    const Track& wanted = rank.trace->track({*stream});
    result.stream = wanted.name;
    result.streams.push_back(rowOf(evidence.capture, evidence.rank, wanted));
    for (const RankIndex peer : evidence.peers) {
        if (result.streams.size() > kMaxPeers || cancel.cancelled()) break;
        const TraceStore* trace = peer.value < capture.ranks.size() ? capture.ranks[peer.value].trace.get() : nullptr;
        const auto same = trace == nullptr ? std::nullopt : sameTrack(*trace, wanted);
        if (same) result.streams.push_back(rowOf(evidence.capture, peer, trace->track({*same})));
    }
    return result;
}

void EvidenceView::take(Found result) {
    if (!m_evidence) return;
    if (result.gaps) {
        m_found = *std::move(result.gaps);
        m_gaps.isOfDevice = true;
        m_gaps.gaps = m_found.longest;
        emit gapsChanged();
    }
    if (result.streams.size() > 1 && m_pinned.empty()) {
        const TrackArrangement& before = m_scene.model().arrangement();
        for (const RowKey& row : result.streams) {
            if (!isPinned(before, row)) m_pinned.push_back(row);
        }
        m_stream = std::move(result.stream);
        m_shownRanks = result.streams.size();
        m_scene.arrange(withPinned(before, result.streams));
    }
    emit noteChanged();
}

void EvidenceView::unpin() {
    m_stream.clear();
    m_shownRanks = 0;
    if (m_pinned.empty()) return;
    const std::vector<RowKey> pinned = std::exchange(m_pinned, {});
    m_scene.arrange(withoutPinned(m_scene.model().arrangement(), pinned));
}

std::optional<DurationNs> EvidenceView::shiftNow() const {
    const TimelineSources& sources = m_scene.model().sources();
    const auto source = sources.sourceOf(m_evidence->capture);
    if (!source) return std::nullopt;
    return DurationNs{sources.shiftOf(*source, m_evidence->rank).value - sources[*source].shift.value};
}

/// Again once the clocks are aligned for it: until then the rank stood elsewhere.
void EvidenceView::place() {
    if (!m_evidence || (m_placedWith && !m_waitsForClocks)) return;
    const auto shift = shiftNow();
    if (!shift) return;
    if (m_clocks.idle() && m_clocks.shiftOf(m_evidence->capture, m_evidence->rank) == *shift) m_waitsForClocks = false;
    if (m_placedWith == shift) return;
    m_placedWith = shift;
    emit placed(*shift);
    emit noteChanged();
}

QString EvidenceView::note() const {
    if (!m_evidence) return {};
    QStringList parts;
    if (m_shownRanks > 1) {
        // At once: the name of a stream may hold what looks like a further argument.
        const QString stream = toQString(m_stream);
        const std::size_t all = m_evidence->peers.size() + 1;
        parts << (m_shownRanks < all
                      ? tr("Pinned above: %1, on %2 of %3 ranks.", "stream, number, number")
                            .arg(stream, formatCount(m_shownRanks), formatCount(all))
                      : tr("Pinned above: %1, on all %2 ranks.", "stream, number").arg(stream, formatCount(all)));
        if (m_clocks.isAligned()) parts << tr("Clocks are aligned.");
    }
    if (m_found.count > 0) {
        const QString gaps =
            withCount(tr("%n gap(s) of the device, %1 in all, are hatched.", nullptr, pluralCount(m_found.count)),
                      m_found.count)
                .arg(formatDuration(m_found.total));
        parts << (m_found.count > m_found.longest.size()
                      ? gaps + u' ' + tr("These are the %1 longest.").arg(formatCount(m_found.longest.size()))
                      : gaps);
    } else if (!m_gaps.gaps.empty()) {
        parts << tr("%n gap(s) are hatched.", nullptr, static_cast<int>(m_gaps.gaps.size()));
    }
    return parts.join(u' ');
}

}  // namespace altiscope
