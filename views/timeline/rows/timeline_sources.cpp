#include "views/timeline/rows/timeline_sources.h"

#include "core/analysis/memory/memory_tracks.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/merged_tracks.h"

#include <QFileInfo>

#include <functional>

namespace altiscope {

namespace {

/// Ids of memory are the same everywhere.
std::vector<RowKey> memoryOnAllRanks(const TimelineSources& sources, const TrackNode& node) {
    std::vector<RowKey> same;
    for (const TimelineSource& source : sources) {
        for (RankIndex rank; rank.value < source.store->ranks.size(); ++rank.value) {
            if (hasMemorySamples(source.store->ranks[rank.value].rows.get()))
                same.push_back({source.capture, rank, node.kind, sources.keyOf(node).id});
        }
    }
    return same;
}

}  // namespace

RowKey hostKey(CaptureId capture, std::string_view host) {
    return {capture, kNoRank, TimelineRowKind::Host, static_cast<std::int64_t>(std::hash<std::string_view>{}(host))};
}

std::vector<TrackIndex> tracksIn(const TrackNode& node) {
    if (node.memory) return {};
    if (node.merged != nullptr) return node.merged->tracks();
    if (node.streams != nullptr) return *node.streams;
    std::vector<TrackIndex> tracks;
    for (std::uint32_t t = node.firstTrack; node.kind >= TimelineRowKind::Rank && t < node.firstTrack + node.trackCount;
         ++t)
        tracks.push_back({t});
    return tracks;
}

std::vector<TrackIndex> tracksIn(const TimelineRow& row) {
    return row.left != nullptr ? *row.left : tracksIn(static_cast<const TrackNode&>(row));
}

std::uint32_t laneOf(const TrackNode& node, SliceIndex slice, std::uint32_t depth) {
    return node.merged == nullptr ? depth : node.merged->depthOf(slice).value_or(depth);
}

QString TimelineSource::name() const { return title.isEmpty() ? QFileInfo(toQString(store->path)).fileName() : title; }

std::optional<std::uint32_t> TimelineSources::sourceOf(CaptureId capture) const {
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        if (m_sources[i].capture == capture) return i;
    }
    return std::nullopt;
}

std::uint32_t TimelineSources::ownerOf(std::uint32_t source) const {
    const TimelineSource& shown = m_sources[source];
    return isOpenCapture(shown.capture) ? source : sourceOf(shown.companion->of).value_or(source);
}

DurationNs TimelineSources::shiftOf(std::uint32_t source, RankIndex rank) const {
    const TimelineSource& shown = m_sources[source];
    return {shown.shift.value + (shown.rankShifts ? shown.rankShifts->of(rank).value : 0)};
}

DurationNs TimelineSources::shiftOf(std::uint32_t source, RankIndex rank, TrackIndex track) const {
    const TimelineSource& shown = m_sources[source];
    // A computed track has a store, and so numbers, of its own.
    if (shown.rankShifts == nullptr || isQuerySource(shown.capture)) return shiftOf(source, rank);
    return {shown.shift.value + shown.rankShifts->of(rank, track).value};
}

DurationNs TimelineSources::shiftOf(const TrackNode& node) const {
    // The tracks of a process are moved together.
    const bool isOfProcess = node.kind >= TimelineRowKind::Process && !node.memory && node.trackCount > 0;
    return isOfProcess ? shiftOf(node.source, node.rank, {node.firstTrack}) : shiftOf(node.source, node.rank);
}

std::shared_ptr<const MovedTracks> TimelineSources::movedIn(const TrackNode& node) const {
    const TimelineSource& shown = m_sources[node.source];
    const bool isOfRank = node.kind == TimelineRowKind::Rank && !isQuerySource(shown.capture);
    return isOfRank && shown.rankShifts != nullptr ? shown.rankShifts->movedTracks(node.rank) : nullptr;
}

std::int64_t TimelineSources::modelOf(std::uint32_t source, RankIndex rank, TrackIndex track) const {
    const auto& models = m_sources[source].models;
    if (rank.value >= models.size() || models[rank.value] == nullptr) return TrackNode::kNoModel;
    const auto known = models[rank.value]->find(track.value);
    return known == models[rank.value]->end() ? TrackNode::kNoModel : known->second;
}

const TraceStore* TimelineSources::memoryOf(std::uint32_t source, RankIndex rank) const {
    return m_memory.of({m_sources[source].capture, rank, m_sources[source].store->ranks[rank.value].rows});
}

const RankEntry* TimelineSources::rankOf(const TrackNode& node) const {
    return node.rank == kNoRank ? nullptr : &m_sources[node.source].store->ranks[node.rank.value];
}

const TraceStore* TimelineSources::traceOf(const TrackNode& node) const {
    if (node.memory) return memoryOf(node.source, node.rank);
    const RankEntry* entry = rankOf(node);
    return entry == nullptr ? nullptr : entry->trace.get();
}

RowKey TimelineSources::keyOf(const TrackNode& node) const {
    const TimelineSource& source = m_sources[node.source];
    RowKey key{source.capture, node.rank, node.kind, 0};
    if (node.memory && node.kind == TimelineRowKind::Process) {
        key.id = kMemoryId;
    } else if (node.kind >= TimelineRowKind::Process) {
        key.id = traceOf(node)->track({node.firstTrack}).id.value;
    } else if (node.kind == TimelineRowKind::Host) {
        return hostKey(source.capture, source.store->ranks[node.firstTrack].info.host);
    }
    return key;
}

RowKey TimelineSources::parentKeyOf(const TrackNode& node) const {
    const TimelineSource& source = m_sources[node.source];
    if (node.kind < TimelineRowKind::Rank) return {source.capture, kNoRank, TimelineRowKind::Capture, 0};
    const RankEntry& rank = source.store->ranks[node.rank.value];
    if (node.kind == TimelineRowKind::Rank) return hostKey(source.capture, rank.info.host);
    if (node.kind == TimelineRowKind::Process) return {source.capture, node.rank, TimelineRowKind::Rank, 0};
    if (node.memory) return {source.capture, node.rank, TimelineRowKind::Process, kMemoryId};
    std::uint32_t first = node.firstTrack;
    while (first > 0 && rank.trace->track({first - 1}).pid == rank.trace->track({first}).pid) --first;
    return {source.capture, node.rank, TimelineRowKind::Process, rank.trace->track({first}).id.value};
}

std::vector<RowKey> TimelineSources::keysOf(const TrackNode& node) const {
    if (node.merged == nullptr && node.streams == nullptr) return {keyOf(node)};
    std::vector<RowKey> keys;
    for (const TrackIndex track : tracksIn(node))
        keys.push_back(
            {m_sources[node.source].capture, node.rank, TimelineRowKind::Thread, traceOf(node)->track(track).id.value});
    return keys;
}

std::vector<RowKey> TimelineSources::sameOnAllRanks(const TrackNode& node) const {
    if (node.memory) return memoryOnAllRanks(*this, node);
    std::vector<RowKey> same;
    const TraceStore* own = traceOf(node);
    if (own == nullptr || node.kind < TimelineRowKind::Process || node.kind == TimelineRowKind::Model) return same;
    const Track& wanted = own->track({node.firstTrack});
    // The stacks of a thread are called as the thread is.
    const auto isSameTrack = [&wanted](const Track& track) {
        return track.name == wanted.name && (track.kind == TrackKind::Stack) == (wanted.kind == TrackKind::Stack);
    };
    for (const TimelineSource& source : m_sources) {
        for (RankIndex rank; rank.value < source.store->ranks.size(); ++rank.value) {
            const TraceStore* trace = source.store->ranks[rank.value].trace.get();
            if (trace == nullptr) continue;
            for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
                const Track& track = trace->track({t});
                const bool isFirst = t == 0 || trace->track({t - 1}).pid != track.pid;
                if (track.process != wanted.process ||
                    (node.kind == TimelineRowKind::Process ? !isFirst : !isSameTrack(track)))
                    continue;
                same.push_back({source.capture, rank, node.kind, track.id.value});
            }
        }
    }
    return same;
}

}  // namespace altiscope
