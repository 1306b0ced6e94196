#include "views/timeline/scene/evidence_view.h"

#include "core/analysis/steps/device_activity.h"
#include "core/analysis/support/saturating.h"
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
    connect(&scene, &TimelineScene::rowsChanged, this, [this] {
        if (m_pending && m_scene.model().sources().sourceOf(m_pending->capture))
            return show(*std::exchange(m_pending, std::nullopt));
        place();
    });
}

void EvidenceView::show(TimelineEvidence evidence) {
    const auto source = m_scene.model().sources().sourceOf(evidence.capture);
    if (!source) {
        clear();
        m_pending = std::move(evidence);
        return;
    }
    m_pending.reset();
    if (evidence.rank.value >= m_scene.model().sources()[*source].store->ranks.size()) return clear();
    const bool samePeers = m_evidence && m_evidence->capture == evidence.capture && m_evidence->rank == evidence.rank &&
                           m_evidence->peers == evidence.peers && m_evidence->host == evidence.host &&
                           m_evidence->counter == evidence.counter && !evidence.slice && !evidence.isOfWaits &&
                           !m_evidence->slice && !m_evidence->isOfWaits;
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
    const auto store = m_scene.model().sources()[*source].store;
    const auto directory = m_directory != nullptr && m_directory->capture() == store ? m_directory : nullptr;
    m_slot.start([store, directory,
                  wanted = *m_evidence](const CancelToken& cancel) { return find(store, wanted, directory, cancel); },
                 [this](Found result) {
                     take(std::move(result));
                     emit becameIdle();
                 });
}

void EvidenceView::clear() {
    m_slot.cancel();
    m_pending.reset();
    unpin();
    m_evidence.reset();
    m_gaps = {};
    m_found = {};
    m_tracks = {};
    m_waitsForClocks = false;
    emit gapsChanged();
    emit noteChanged();
}

EvidenceView::Found EvidenceView::find(const std::shared_ptr<const CaptureStore>& store,
                                       const TimelineEvidence& evidence,
                                       std::shared_ptr<const CollectiveDirectory> directory,
                                       const CancelToken& cancel) {
    Found result;
    result.directory = std::move(directory);
    const RankEntry& rank = store->ranks[evidence.rank.value];
    if (evidence.isOfIdleDevice) result.gaps = deviceGaps(rank, evidence.window, cancel);
    if (rank.trace == nullptr) return result;
    if (!evidence.peers.empty()) findStreams(result, *store, evidence, cancel);
    else if (evidence.slice || evidence.isOfWaits) findCollective(result, store, evidence, cancel);
    addBeside(result, *rank.trace, evidence);
    if (!result.streams.empty()) return result;
    const auto sequence = evidence.slice && evidence.mark ? rank.trace->findSlice(*evidence.slice) : std::nullopt;
    if (sequence) {
        result.tracks = {{evidence.rank, rank.trace->track({rank.trace->runOf(*sequence).track}).id}};
        result.isInSight = true;
        return result;
    }
    // The busiest one first: it is brought into sight.
    const auto busiest = evidence.isOfIdleDevice ? busiestStream(*rank.trace) : std::nullopt;
    if (busiest) result.tracks = {{evidence.rank, rank.trace->track({*busiest}).id}};
    result.isInSight = evidence.isOfIdleDevice;
    for (std::uint32_t t = 0; t < rank.trace->tracks().size(); ++t) {
        const Track& track = rank.trace->track({t});
        const bool isMeant = !evidence.isOfIdleDevice || track.kind == TrackKind::Hardware;
        if (isMeant && t != busiest && rank.trace->extent({t}).sliceCount > 0)
            result.tracks.push_back({evidence.rank, track.id});
    }
    return result;
}

void EvidenceView::findStreams(Found& result, const CaptureStore& capture, const TimelineEvidence& evidence,
                               const CancelToken& cancel) {
    const TraceStore& own = *capture.ranks[evidence.rank.value].trace;
    const auto stream = busiestStream(own);
    if (!stream) return;
    const Track& wanted = own.track({*stream});
    result.pinned = wanted.name;
    result.ranks = evidence.peers.size() + 1;
    const auto add = [&](RankIndex rank, const Track& track) {
        result.streams.push_back(rowOf(evidence.capture, rank, track));
        result.tracks.push_back({rank, track.id});
    };
    add(evidence.rank, wanted);
    for (const RankIndex peer : evidence.peers) {
        if (result.streams.size() > kMaxPeers || cancel.cancelled()) break;
        const TraceStore* trace = peer.value < capture.ranks.size() ? capture.ranks[peer.value].trace.get() : nullptr;
        const auto same = trace == nullptr ? std::nullopt : sameTrack(*trace, wanted);
        if (same) add(peer, trace->track({*same}));
    }
    result.shownRanks = result.streams.size();
}

/// Curves, and what the host did, beside the rank's own stream.
void EvidenceView::addBeside(Found& result, const TraceStore& own, const TimelineEvidence& evidence) {
    std::vector<std::uint32_t> beside;
    for (std::uint32_t t = 0; t < own.tracks().size() && !evidence.counter.empty(); ++t) {
        const Track& track = own.track({t});
        if (track.kind == TrackKind::Counter && track.name.starts_with(evidence.counter)) beside.push_back(t);
    }
    const auto host = evidence.host.value == 0 ? std::nullopt : own.findSlice(evidence.host);
    if (host) beside.push_back(own.runOf(*host).track);
    if (beside.empty()) return;
    const auto stream = result.streams.empty() ? busiestStream(own) : std::nullopt;
    const auto add = [&](std::uint32_t place) {
        const Track& track = own.track({place});
        RowKey row = rowOf(evidence.capture, evidence.rank, track);
        if (track.kind == TrackKind::Counter) row.kind = TimelineRowKind::Counter;
        else result.tracks.push_back({evidence.rank, track.id});
        result.streams.push_back(row);
        std::string& names = place == stream || result.ranks == 0 ? result.pinned : result.beside;
        names += (names.empty() ? "" : ", ") + track.name;
    };
    if (stream) add(*stream);
    for (const std::uint32_t place : beside) {
        if (place != stream) add(place);
    }
    if (result.ranks == 0) result.ranks = result.shownRanks = 1;
}

/// Where nothing states which collectives belong together: the track on which this rank waits.
void EvidenceView::findOwnCollectives(Found& result, const TraceStore& own, const TimelineEvidence& evidence) {
    std::optional<std::uint32_t> most;
    std::int64_t longest = 0;
    for (std::uint32_t t = 0; t < own.tracks().size(); ++t) {
        const auto runs = own.runs({t});
        if (runs.empty() || runs.front().count == 0 || !isCollective(own, {runs.front().first})) continue;
        std::int64_t sum = 0;
        for (std::uint32_t i = own.firstBeginningAt(runs.front(), evidence.window.begin);
             i < runs.front().first + runs.front().count && own.begin({i}) < evidence.window.end; ++i)
            addSaturated(sum, own.duration({i}).value);
        if (longest < sum) longest = sum, most = t;
    }
    if (!most) return;
    const Track& track = own.track({*most});
    result.pinned = track.name;
    result.ranks = result.shownRanks = 1;
    result.streams.push_back(rowOf(evidence.capture, evidence.rank, track));
    result.tracks.push_back({evidence.rank, track.id});
}

std::optional<CollectivePeers> EvidenceView::longestWait(const CollectiveDirectory& directory,
                                                         const TimelineEvidence& evidence, const CancelToken& cancel) {
    const TraceStore& own = *directory.capture()->ranks[evidence.rank.value].trace;
    std::vector<SliceIndex> longest;
    for (std::uint32_t t = 0; t < own.tracks().size(); ++t) {
        const auto runs = own.runs({t});
        if (runs.empty() || runs.front().count == 0 || !isCollective(own, {runs.front().first})) continue;
        const DepthRun& run = runs.front();
        for (std::uint32_t i = own.firstBeginningAt(run, evidence.window.begin); i < run.first + run.count; ++i) {
            if (own.begin({i}) >= evidence.window.end) break;
            longest.push_back({i});
        }
    }
    // No wait is longer than its collective.
    const auto lengthOf = [&own](SliceIndex slice) { return own.end(slice) - own.begin(slice); };
    std::sort(longest.begin(), longest.end(), [&](SliceIndex a, SliceIndex b) { return lengthOf(a) > lengthOf(b); });
    if (longest.size() > kMaxCollectives) longest.resize(kMaxCollectives);
    std::optional<CollectivePeers> most;
    std::int64_t wait = 0;
    for (const SliceIndex slice : longest) {
        if (lengthOf(slice).value <= wait || cancel.cancelled()) break;
        auto found = directory.peersOf({evidence.rank, slice}, cancel);
        if (!found) continue;
        for (const CollectivePeer& peer : found->peers) {
            if (peer.rank != evidence.rank || peer.wait <= wait) continue;
            wait = peer.wait;
            most = std::move(found);
            break;
        }
    }
    return most;
}

/// A wait is seen beside the rank that came last.
void EvidenceView::findCollective(Found& result, const std::shared_ptr<const CaptureStore>& store,
                                  const TimelineEvidence& evidence, const CancelToken& cancel) {
    const TraceStore& own = *store->ranks[evidence.rank.value].trace;
    const auto slice = evidence.slice ? own.findSlice(*evidence.slice) : std::nullopt;
    if (evidence.slice && (!slice || !isCollective(own, *slice))) return;
    if (result.directory == nullptr) result.directory = CollectiveDirectory::make(store, cancel);
    if (result.directory == nullptr) return findOwnCollectives(result, own, evidence);
    const auto found = slice ? result.directory->peersOf({evidence.rank, *slice}, cancel)
                             : longestWait(*result.directory, evidence, cancel);
    if (!found) return findOwnCollectives(result, own, evidence);
    result.isCollective = true;
    result.pinned = found->group;
    result.ranks = found->peers.size() + found->missing.size();
    std::vector<CollectivePeer> peers = found->peers;
    // Its own rank first, then those that came last, for which the others waited.
    std::stable_sort(peers.begin(), peers.end(), [&](const CollectivePeer& a, const CollectivePeer& b) {
        const bool isOwn = a.rank == evidence.rank;
        return isOwn != (b.rank == evidence.rank) ? isOwn : a.wait < b.wait;
    });
    for (const CollectivePeer& peer : peers) {
        if (result.streams.size() > kMaxPeers) break;
        const TraceStore& trace = *store->ranks[peer.rank.value].trace;
        const Track& track = trace.track({trace.runOf(peer.slice).track});
        result.streams.push_back(rowOf(evidence.capture, peer.rank, track));
        result.tracks.push_back({peer.rank, track.id});
    }
    result.shownRanks = result.streams.size();
}

void EvidenceView::take(Found result) {
    if (!m_evidence) return;
    m_directory = std::move(result.directory);
    m_tracks = {m_evidence->capture, std::move(result.tracks)};
    if (result.isCollective && result.streams.size() > 1) {
        m_clocks.align();
        m_waitsForClocks = m_waitsForClocks || !m_clocks.idle();
    }
    if (result.gaps) {
        m_found = *std::move(result.gaps);
        m_gaps.isOfDevice = true;
        m_gaps.gaps = m_found.longest;
        emit gapsChanged();
    }
    if (!result.streams.empty() && m_pinned.empty()) {
        const TrackArrangement& before = m_scene.model().arrangement();
        for (const RowKey& row : result.streams) {
            if (!isPinned(before, row)) m_pinned.push_back(row);
        }
        m_pinnedText = std::move(result.pinned);
        m_besideText = std::move(result.beside);
        m_shownRanks = result.shownRanks;
        m_allRanks = result.ranks;
        m_scene.arrange(withPinned(before, result.streams));
    } else if (result.streams.empty() && result.isInSight && !m_tracks.parts.empty()) {
        bringIntoSight(m_tracks.parts.front());
    }
    emit tracksFound();
    emit noteChanged();
}

/// Gaps are hatched in rows of the device, which may be far below the first ones of the rank; of slices their depth.
void EvidenceView::bringIntoSight(const TrackChoice::Part& part) {
    const auto source = m_scene.model().sources().sourceOf(m_evidence->capture);
    const TraceStore* trace =
        source ? m_scene.model().sources()[*source].store->ranks[part.rank.value].trace.get() : nullptr;
    const auto track = trace == nullptr ? std::nullopt : trace->findTrack(part.track);
    if (!track) return;
    m_scene.expandTo(*source, part.rank, *track);
    const auto at = m_scene.model().placeOf(*source, part.rank, *track);
    if (!at) return;
    const TimelineRow& row = m_scene.model().rows()[at->row];
    const auto slice = m_evidence->slice ? trace->findSlice(*m_evidence->slice) : std::nullopt;
    if (slice && trace->runOf(*slice).track == track->value && !at->hidden) {
        const std::int64_t depth = trace->runOf(*slice).depth;
        m_scene.viewport().bringIntoSight(row, row.top + depth * row.lane, row.lane);
    } else {
        m_scene.viewport().bringIntoSight(row, row.top, row.height);
    }
}

void EvidenceView::unpin() {
    m_pinnedText.clear();
    m_besideText.clear();
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
    if (m_shownRanks > 0) {
        // At once: the name of a stream may hold what looks like a further argument.
        const QString stream = toQString(m_pinnedText);
        const std::size_t all = m_allRanks;
        parts << (all < 2 ? tr("Pinned above: %1.", "streams").arg(stream)
                  : m_shownRanks < all
                      ? tr("Pinned above: %1, on %2 of %3 ranks.", "stream, number, number")
                            .arg(stream, formatCount(m_shownRanks), formatCount(all))
                      : tr("Pinned above: %1, on all %2 ranks.", "stream, number").arg(stream, formatCount(all)));
        if (!m_besideText.empty()) parts << tr("Beside it: %1.", "streams").arg(toQString(m_besideText));
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
