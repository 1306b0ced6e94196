#include "views/timeline/rows/timeline_model.h"

#include "core/analysis/memory/memory_tracks.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/capture_extent.h"
#include "views/timeline/rows/merged_tracks.h"

#include <algorithm>
#include <functional>
#include <iterator>
#include <set>
#include <string_view>

namespace altiscope {

namespace {

constexpr std::uint32_t kNoRank = 0xffffffffU;
constexpr std::uint32_t kNoNode = 0xffffffffU;
/// Pixels of a lane or collapsed row, however the user drags it.
constexpr int kLeastLane = 4, kMostLane = 1000;

bool isEmpty(const TrackExtent& extent) {
    return extent.sliceCount == 0 && extent.seriesCount == 0 && extent.instantCount == 0;
}

TimelineRowKind rowKindOf(const TrackExtent& extent) {
    return extent.seriesCount > 0 && extent.sliceCount == 0 ? TimelineRowKind::Counter : TimelineRowKind::Thread;
}

/// Whether a row of tracks holds counters and nothing else.
bool onlyCounters(const TraceStore& trace, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t t = first; t < first + count; ++t) {
        const TrackExtent& extent = trace.extent({t});
        if (extent.sliceCount != 0 || extent.instantCount != 0) return false;
    }
    return true;
}

/// Puts those that `order` names into the places that they have now, in its order; all others keep theirs.
template <class Child, class KeyOf>
void sortBy(std::vector<Child>& children, const std::vector<RowKey>& order, KeyOf keyOf) {
    std::unordered_map<RowKey, std::size_t, RowKeyHash> rankOf;
    for (const RowKey& key : order) rankOf.try_emplace(key, rankOf.size());
    std::vector<std::size_t> places;
    std::vector<std::pair<std::size_t, Child>> named;
    for (std::size_t i = 0; i < children.size(); ++i) {
        const auto known = rankOf.find(keyOf(children[i]));
        if (known == rankOf.end()) continue;
        places.push_back(i);
        named.emplace_back(known->second, children[i]);
    }
    std::sort(named.begin(), named.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
    for (std::size_t i = 0; i < places.size(); ++i) children[places[i]] = std::move(named[i].second);
}

}  // namespace

RowKey hostKey(std::uint32_t capture, std::string_view host) {
    return {capture, kNoRank, TimelineRowKind::Host, static_cast<std::int64_t>(std::hash<std::string_view>{}(host))};
}

/// What is known while nodes are built.
struct TimelineModel::Build {
    TextMatches matches;
    std::unordered_set<RowKey, RowKeyHash> pinned;
    std::unordered_map<RowKey, std::vector<Node>, RowKeyHash> pins;  // with all below, by what is pinned
    std::unordered_map<RowKey, std::shared_ptr<const MergedTracks>, RowKeyHash> merged;  // by each thread
};

void TimelineModel::setSources(std::vector<TimelineSource> sources) {
    m_sources = std::move(sources);
    dropUnusedMerged();
    dropUnusedMemory();
    buildNodes();
    layOut();
}

void TimelineModel::setContext(const ContextFilter& context) {
    const bool sameRanks = context.ranks == m_context.ranks && context.devices == m_context.devices;
    m_context = context;
    if (sameRanks) return;
    buildNodes();
    layOut();
}

void TimelineModel::setFilter(const TrackFilter& filter) {
    m_filter = filter;
    buildNodes();
    layOut();
}

std::vector<RowKey> TimelineModel::sameOnAllRanks(const TimelineRow& row) const {
    std::vector<RowKey> same;
    const TraceStore* own = traceOf(row);
    if (row.memory) return memoryOnAllRanks(row);
    if (own == nullptr || row.kind < TimelineRowKind::Process || row.kind == TimelineRowKind::Model) return same;
    const Track& wanted = own->track({row.firstTrack});
    // The stacks of a thread are called as the thread is.
    const auto isSameTrack = [&wanted](const Track& track) {
        return track.name == wanted.name && (track.kind == TrackKind::Stack) == (wanted.kind == TrackKind::Stack);
    };
    for (const TimelineSource& source : m_sources) {
        for (std::uint32_t rank = 0; rank < source.store->ranks.size(); ++rank) {
            const TraceStore* trace = source.store->ranks[rank].trace.get();
            if (trace == nullptr) continue;
            for (std::uint32_t t = 0; t < trace->tracks().size(); ++t) {
                const Track& track = trace->track({t});
                const bool isFirst = t == 0 || trace->track({t - 1}).pid != track.pid;
                if (track.process != wanted.process ||
                    (row.kind == TimelineRowKind::Process ? !isFirst : !isSameTrack(track)))
                    continue;
                same.push_back({source.capture, rank, row.kind, track.id.value});
            }
        }
    }
    return same;
}

void TimelineModel::setArrangement(TrackArrangement arrangement) {
    m_arrangement = std::move(arrangement);
    dropUnusedMerged();
    buildNodes();
    layOut();
}

void TimelineModel::setExpansion(Expansion expansion) {
    m_expanded = std::move(expansion);
    layOut();
}

std::optional<TimelineModel::ToMerge> TimelineModel::found(const std::vector<RowKey>& group) const {
    const auto source = group.empty() ? std::nullopt : sourceOf(group.front().capture);
    if (!source || group.front().rank >= m_sources[*source].store->ranks.size()) return std::nullopt;
    ToMerge merge{m_sources[*source].store->ranks[group.front().rank].trace, {}};
    if (merge.trace == nullptr) return std::nullopt;
    for (const RowKey& key : group) {
        const auto track = merge.trace->findTrack({key.id});
        if (track && merge.trace->extent(*track).sliceCount > 0) merge.tracks.push_back(*track);
    }
    std::sort(merge.tracks.begin(), merge.tracks.end());
    return merge.tracks.size() > 1 ? std::optional(std::move(merge)) : std::nullopt;
}

std::shared_ptr<const MergedTracks> TimelineModel::mergedOf(const ToMerge& group) const {
    const auto known = std::find_if(m_merged.begin(), m_merged.end(), [&group](const auto& merged) {
        return merged->trace() == group.trace && merged->tracks() == group.tracks;
    });
    return known == m_merged.end() ? nullptr : *known;
}

std::vector<TimelineModel::ToMerge> TimelineModel::toMerge() const {
    std::vector<ToMerge> missing;
    for (const auto& group : m_arrangement.merged) {
        auto merge = found(group);
        if (merge && mergedOf(*merge) == nullptr) missing.push_back(*std::move(merge));
    }
    return missing;
}

void TimelineModel::addMerged(std::vector<std::shared_ptr<const MergedTracks>> merged) {
    std::move(merged.begin(), merged.end(), std::back_inserter(m_merged));
    dropUnusedMerged();
    buildNodes();
    layOut();
}

/// They keep their traces in memory.
void TimelineModel::dropUnusedMerged() {
    std::unordered_set<const MergedTracks*> used;
    for (const auto& group : m_arrangement.merged) {
        if (const auto merge = found(group)) used.insert(mergedOf(*merge).get());
    }
    std::erase_if(m_merged, [&used](const auto& merged) { return !used.contains(merged.get()); });
}

void TimelineModel::findMerged(Build& build) const {
    for (const auto& group : m_arrangement.merged) {
        const auto merge = found(group);
        const auto merged = merge ? mergedOf(*merge) : nullptr;
        if (merged == nullptr) continue;
        for (const RowKey& key : group) build.merged.emplace(key, merged);
    }
}

std::vector<TrackIndex> TimelineModel::tracksIn(const TimelineRow& row) const {
    if (row.memory) return {};
    if (row.merged != nullptr) return row.merged->tracks();
    if (row.streams != nullptr) return *row.streams;
    std::vector<TrackIndex> tracks;
    for (std::uint32_t t = row.firstTrack; row.kind >= TimelineRowKind::Rank && t < row.firstTrack + row.trackCount;
         ++t)
        tracks.push_back({t});
    return tracks;
}

std::vector<RowKey> TimelineModel::keysOf(const TimelineRow& row) const {
    if (row.merged == nullptr && row.streams == nullptr) return {keyOf(row)};
    std::vector<RowKey> keys;
    for (const TrackIndex track : tracksIn(row))
        keys.push_back(
            {m_sources[row.source].capture, row.rank, TimelineRowKind::Thread, traceOf(row)->track(track).id.value});
    return keys;
}

std::uint32_t TimelineModel::laneOf(const TimelineRow& row, SliceIndex slice, std::uint32_t depth) const {
    return row.merged == nullptr ? depth : row.merged->depthOf(slice).value_or(depth);
}

std::vector<RowKey> TimelineModel::siblingsOf(const TimelineRow& row) const {
    std::vector<RowKey> siblings;
    if (row.kind < TimelineRowKind::Rank || row.kind == TimelineRowKind::Model) return siblings;
    const bool amongPins = row.pinned && row.level == 0;
    const RowKey parent = parentKeyOf(row);
    const auto isSibling = [&](const Node& node) {
        if (node.pinned != row.pinned || (node.pinned && (node.level == 0) != amongPins)) return false;
        if (amongPins) return true;
        if (row.kind < TimelineRowKind::Thread) return node.kind == row.kind && parentKeyOf(node) == parent;
        // By its process and not by parentKeyOf(), which looks for the process's first track.
        return node.kind >= TimelineRowKind::Thread && node.source == row.source && node.rank == row.rank &&
               node.model == row.model && node.memory == row.memory &&
               traceOf(row)->track({node.firstTrack}).pid == traceOf(row)->track({row.firstTrack}).pid;
    };
    for (const Node& node : m_nodes) {
        if (isSibling(node)) siblings.push_back(keyOf(node));
    }
    return siblings;
}

bool TimelineModel::isFilteredOut(const Node& process, std::uint32_t track, TextMatches& matches) const {
    if (m_filter.empty()) return false;
    const TraceStore& trace = *traceOf(process);
    const Track& which = trace.track({track});
    if (m_filter.hiddenKinds.contains(which.kind)) return true;
    const TimelineRowKind kind = rowKindOf(trace.extent({track}));
    if (m_filter.hidden.contains(keyOf(process)) ||
        m_filter.hidden.contains({m_sources[process.source].capture, process.rank, kind, which.id.value}))
        return true;
    const auto matchesText = [&](std::string_view text) {
        const auto [known, isNew] = matches.try_emplace(text, false);
        if (isNew) known->second = toQString(text).contains(m_filter.text, Qt::CaseInsensitive);
        return known->second;
    };
    return !m_filter.text.isEmpty() && !matchesText(which.name) && !matchesText(which.process);
}

void TimelineModel::setMetrics(const RowMetrics& metrics) {
    m_metrics = metrics;
    layOut();
}

std::int64_t TimelineModel::height() const { return m_rows.empty() ? 0 : m_rows.back().top + m_rows.back().height; }

std::size_t TimelineModel::rowAt(std::int64_t y) const {
    const auto behind = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                         [](std::int64_t value, const TimelineRow& row) { return value < row.top; });
    return behind == m_rows.begin() ? 0 : static_cast<std::size_t>(behind - m_rows.begin()) - 1;
}

void TimelineModel::setExpanded(std::size_t row, bool expanded) {
    m_expanded[keyOf(m_rows[row])] = expanded;
    layOut();
}

void TimelineModel::setAllExpanded(bool expanded) {
    for (const Node& node : m_nodes) {
        const TimelineRow row = describe(node);
        // That would read the memory of all ranks.
        if (node.memory && node.kind == TimelineRowKind::Process && expanded) continue;
        // Collapsing everything keeps captures and hosts open: one line for a whole run would show nothing.
        if (row.expandable && (expanded || node.kind >= TimelineRowKind::Rank)) m_expanded[keyOf(row)] = expanded;
    }
    layOut();
}

std::optional<TimelineModel::Place> TimelineModel::placeOf(std::uint32_t source, std::uint32_t rank,
                                                           TrackIndex track) const {
    if (source >= m_nodeOfTrack.size() || rank >= m_nodeOfTrack[source].size()) return std::nullopt;
    const auto& nodes = m_nodeOfTrack[source][rank];
    if (track.value >= nodes.size() || nodes[track.value] == kNoNode) return std::nullopt;
    const Node& node = m_nodes[nodes[track.value]];
    return Place{node.row, node.hidden};
}

bool TimelineModel::expandTo(std::uint32_t source, std::uint32_t rank, TrackIndex track) {
    const auto place = placeOf(source, rank, track);
    if (!place) return false;
    const std::uint32_t target = m_nodeOfTrack[source][rank][track.value];
    bool changed = false;
    for (std::uint32_t i = 0; i <= target; ++i) {
        const Node& node = m_nodes[i];
        if (i != target && node.behind <= target) continue;
        const TimelineRow row = describe(node);
        if (!row.expandable || row.expanded) continue;
        m_expanded[keyOf(row)] = true;
        changed = true;
    }
    if (changed) layOut();
    return changed;
}

TimelineModel::Node TimelineModel::nodeFor(const TimelineRow& row) {
    Node node{row.kind, row.level, row.source, row.rank, row.firstTrack, row.trackCount};
    node.memory = row.memory;
    return node;
}

RowKey TimelineModel::keyOf(const TimelineRow& row) const { return keyOf(nodeFor(row)); }

RowKey TimelineModel::keyOf(const Node& node) const {
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

RowKey TimelineModel::parentKeyOf(const TimelineRow& row) const { return parentKeyOf(nodeFor(row)); }

RowKey TimelineModel::parentKeyOf(const Node& node) const {
    const TimelineSource& source = m_sources[node.source];
    if (node.kind < TimelineRowKind::Rank) return {source.capture, kNoRank, TimelineRowKind::Capture, 0};
    const RankEntry& rank = source.store->ranks[node.rank];
    if (node.kind == TimelineRowKind::Rank) return hostKey(source.capture, rank.info.host);
    if (node.kind == TimelineRowKind::Process) return {source.capture, node.rank, TimelineRowKind::Rank, 0};
    if (node.memory) return {source.capture, node.rank, TimelineRowKind::Process, kMemoryId};
    std::uint32_t first = node.firstTrack;
    while (first > 0 && rank.trace->track({first - 1}).pid == rank.trace->track({first}).pid) --first;
    return {source.capture, node.rank, TimelineRowKind::Process, rank.trace->track({first}).id.value};
}

const RankEntry* TimelineModel::rankOf(const TimelineRow& row) const {
    return row.rank == kNoRank ? nullptr : &m_sources[row.source].store->ranks[row.rank];
}

const TraceStore* TimelineModel::traceOf(const TimelineRow& row) const {
    if (row.memory) return memoryOf(row.source, row.rank);
    const RankEntry* entry = rankOf(row);
    return entry == nullptr ? nullptr : entry->trace.get();
}

const TraceStore* TimelineModel::traceOf(const Node& node) const {
    return node.memory ? memoryOf(node.source, node.rank) : m_sources[node.source].store->ranks[node.rank].trace.get();
}

DurationNs TimelineModel::shiftOf(std::uint32_t source, std::uint32_t rank) const {
    const TimelineSource& shown = m_sources[source];
    return {shown.shift.value + (shown.rankShifts ? shown.rankShifts->of(rank).value : 0)};
}

std::optional<std::uint32_t> TimelineModel::sourceOf(std::uint32_t capture) const {
    for (std::uint32_t i = 0; i < m_sources.size(); ++i) {
        if (m_sources[i].capture == capture) return i;
    }
    return std::nullopt;
}

void TimelineModel::buildNodes() {
    m_nodes.clear();
    m_hiddenTracks = 0;
    Build build;
    build.pinned.insert(m_arrangement.pinned.begin(), m_arrangement.pinned.end());
    findMerged(build);
    for (std::uint32_t source = 0; source < m_sources.size(); ++source) {
        const auto& ranks = m_sources[source].store->ranks;
        std::uint8_t level = 0;
        const std::size_t captureNode = m_nodes.size();
        if (m_sources.size() > 1) m_nodes.push_back({TimelineRowKind::Capture, level++, source, kNoRank, 0, 0});

        // Hosts in the order in which their first rank comes; ranks keep their order within.
        std::vector<std::string_view> hosts;
        for (const RankEntry& entry : ranks) {
            if (!m_context.holds(entry.info)) continue;
            if (std::find(hosts.begin(), hosts.end(), entry.info.host) == hosts.end()) hosts.push_back(entry.info.host);
        }
        for (const std::string_view host : hosts) {
            const std::size_t hostNode = m_nodes.size();
            const bool shown = hosts.size() > 1;
            std::vector<std::uint32_t> own;
            for (std::uint32_t rank = 0; rank < ranks.size(); ++rank) {
                if (ranks[rank].info.host == host) own.push_back(rank);
            }
            const std::uint32_t capture = m_sources[source].capture, first = own.front();
            const auto told = m_arrangement.order.find(hostKey(capture, host));
            if (told != m_arrangement.order.end()) {
                sortBy(own, told->second, [capture](std::uint32_t rank) {
                    return RowKey{capture, rank, TimelineRowKind::Rank, 0};
                });
            }
            if (shown) m_nodes.push_back({TimelineRowKind::Host, level, source, kNoRank, first, 0});
            for (const std::uint32_t rank : own) {
                if (m_context.holds(ranks[rank].info))
                    addRank(source, rank, static_cast<std::uint8_t>(level + (shown ? 1 : 0)), build);
            }
            if (shown) m_nodes[hostNode].behind = static_cast<std::uint32_t>(m_nodes.size());
        }
        if (m_sources.size() > 1) m_nodes[captureNode].behind = static_cast<std::uint32_t>(m_nodes.size());
    }
    finishNodes(build);
}

void TimelineModel::addRank(std::uint32_t source, std::uint32_t rank, std::uint8_t level, Build& build) {
    const TraceStore* trace = m_sources[source].store->ranks[rank].trace.get();
    const std::uint32_t trackCount = trace == nullptr ? 0 : static_cast<std::uint32_t>(trace->tracks().size());
    const std::size_t rankNode = m_nodes.size();
    m_nodes.push_back({TimelineRowKind::Rank, level, source, rank, 0, trackCount});
    std::vector<Node> processes;
    for (std::uint32_t first = 0; first < trackCount;) {
        std::uint32_t last = first + 1;
        while (last < trackCount && trace->track({last}).pid == trace->track({first}).pid) ++last;
        processes.push_back(
            {TimelineRowKind::Process, static_cast<std::uint8_t>(level + 1), source, rank, first, last - first});
        first = last;
    }
    if (trace != nullptr && hasMemorySamples(m_sources[source].store->ranks[rank].rows.get())) {
        const TraceStore* memory = memoryOf(source, rank);
        processes.push_back({TimelineRowKind::Process, static_cast<std::uint8_t>(level + 1), source, rank, 0,
                             memory == nullptr ? 0 : static_cast<std::uint32_t>(memory->tracks().size())});
        processes.back().memory = true;
    }
    const auto told = m_arrangement.order.find(keyOf(m_nodes[rankNode]));
    if (told != m_arrangement.order.end())
        sortBy(processes, told->second, [this](const Node& process) { return keyOf(process); });
    for (const Node& process : processes) addProcess(process, build);
    m_nodes[rankNode].behind = static_cast<std::uint32_t>(m_nodes.size());
}

/// With its tracks, to where it is pinned or to the tree.
void TimelineModel::addProcess(const Node& process, Build& build) {
    const TraceStore* trace = traceOf(process);
    std::vector<Node> children;
    for (std::uint32_t t = process.firstTrack; t < process.firstTrack + process.trackCount; ++t) {
        const TrackExtent& extent = trace->extent({t});
        if (isEmpty(extent)) continue;
        Node child{rowKindOf(extent), 0, process.source, process.rank, t, 1};
        child.memory = process.memory;
        const auto isExcluded = [&](std::uint32_t track) { return isFilteredOut(process, track, build.matches); };
        std::size_t tracks = 1;
        bool excluded = false;
        const auto merged = build.merged.empty() ? build.merged.end() : build.merged.find(keyOf(child));
        if (merged != build.merged.end()) {
            child.merged = merged->second;
            const auto& group = child.merged->tracks();
            if (group.front().value != t) continue;
            tracks = group.size();
            excluded =
                std::all_of(group.begin(), group.end(), [&](TrackIndex track) { return isExcluded(track.value); });
        } else {
            excluded = isExcluded(t);
        }
        // Threads that were merged over models are of none.
        if (!process.memory) child.model = modelOf(process.source, process.rank, {t});
        const auto isOfAnother = [&](TrackIndex track) {
            return modelOf(process.source, process.rank, track) != child.model;
        };
        if (child.merged != nullptr &&
            std::any_of(child.merged->tracks().begin(), child.merged->tracks().end(), isOfAnother))
            child.model = TimelineRow::kNoModel;
        if (excluded) m_hiddenTracks += tracks;
        else children.push_back(child);
    }
    const RowKey key = keyOf(process);
    const auto told = m_arrangement.order.find(key);
    if (told != m_arrangement.order.end())
        sortBy(children, told->second, [this](const Node& child) { return keyOf(child); });

    const bool isOwnPin = build.pinned.contains(key);
    std::vector<Node>& nodes = isOwnPin ? build.pins[key] : m_nodes;
    const std::size_t at = nodes.size();
    nodes.push_back(process);
    if (isOwnPin) nodes.back().level = 0;
    const auto below = static_cast<std::uint8_t>(nodes.back().level + 1);
    for (Node& child : children) {
        const RowKey childKey = keyOf(child);
        if (build.pinned.empty() || !build.pinned.contains(childKey)) continue;
        std::vector<Node>& target = build.pins[childKey];
        child.model = TimelineRow::kNoModel;
        child.behind = static_cast<std::uint32_t>(target.size()) + 1;
        target.push_back(child);
    }
    std::erase_if(children,
                  [&](const Node& child) { return !build.pinned.empty() && build.pinned.contains(keyOf(child)); });
    addChildren(nodes, children, below);
    const bool isUnread = process.memory && trace == nullptr &&
                          !m_memory.contains({m_sources[process.source].capture, process.rank}) &&
                          !isMemoryFilteredOut(process);
    if (nodes.size() == at + 1 && !isUnread) nodes.pop_back();
    else nodes[at].behind = static_cast<std::uint32_t>(nodes.size());
}

std::int64_t TimelineModel::modelOf(std::uint32_t source, std::uint32_t rank, TrackIndex track) const {
    const auto& models = m_sources[source].models;
    if (rank >= models.size() || models[rank] == nullptr) return TimelineRow::kNoModel;
    const auto known = models[rank]->find(track.value);
    return known == models[rank]->end() ? TimelineRow::kNoModel : known->second;
}

/// Streams of a model stand below it, where the first of them would.
void TimelineModel::addChildren(std::vector<Node>& nodes, const std::vector<Node>& children, std::uint8_t level) const {
    const auto add = [&nodes](Node child, std::uint8_t at) {
        child.level = at;
        child.behind = static_cast<std::uint32_t>(nodes.size()) + 1;
        nodes.push_back(std::move(child));
    };
    std::set<std::int64_t> done;
    for (const Node& child : children) {
        if (child.model == TimelineRow::kNoModel) {
            add(child, level);
            continue;
        }
        if (!done.insert(child.model).second) continue;
        auto streams = std::make_shared<std::vector<TrackIndex>>();
        for (const Node& other : children) {
            if (other.model != child.model) continue;
            if (other.merged == nullptr) streams->push_back({other.firstTrack});
            else streams->insert(streams->end(), other.merged->tracks().begin(), other.merged->tracks().end());
        }
        std::sort(streams->begin(), streams->end());
        const std::size_t at = nodes.size();
        // Known by the first of all its streams, whichever of them are shown.
        const TraceStore& trace = *m_sources[child.source].store->ranks[child.rank].trace;
        const StreamModels& models = *m_sources[child.source].models[child.rank];
        const auto isFirst = [&](const auto& stream) {
            return stream.second == child.model &&
                   trace.track({stream.first}).pid == trace.track({child.firstTrack}).pid;
        };
        Node group{TimelineRowKind::Model,
                   level,
                   child.source,
                   child.rank,
                   std::find_if(models.begin(), models.end(), isFirst)->first,
                   1};
        group.streams = std::move(streams);
        group.model = child.model;
        nodes.push_back(std::move(group));
        for (const Node& other : children) {
            if (other.model == child.model) add(other, static_cast<std::uint8_t>(level + 1));
        }
        nodes[at].behind = static_cast<std::uint32_t>(nodes.size());
    }
}

/// Pinned rows come first; then each track gets its node.
void TimelineModel::finishNodes(Build& build) {
    std::vector<Node> nodes;
    const auto append = [&nodes](const std::vector<Node>& more, bool pinned) {
        const auto by = static_cast<std::uint32_t>(nodes.size());
        for (Node node : more) {
            node.behind += by;
            node.pinned = pinned;
            nodes.push_back(node);
        }
    };
    for (const RowKey& key : m_arrangement.pinned) {
        const auto pin = build.pins.find(key);
        if (pin != build.pins.end()) append(pin->second, true);
    }
    if (!nodes.empty()) {
        append(m_nodes, false);
        m_nodes = std::move(nodes);
    }
    m_nodeOfTrack.assign(m_sources.size(), {});
    for (std::uint32_t source = 0; source < m_sources.size(); ++source)
        m_nodeOfTrack[source].resize(m_sources[source].store->ranks.size());
    for (std::uint32_t i = 0; i < m_nodes.size(); ++i) {
        const Node& node = m_nodes[i];
        if (node.kind < TimelineRowKind::Thread || node.memory) continue;
        auto& nodeOf = m_nodeOfTrack[node.source][node.rank];
        if (nodeOf.empty())
            nodeOf.assign(m_sources[node.source].store->ranks[node.rank].trace->tracks().size(), kNoNode);
        nodeOf[node.firstTrack] = i;
        if (node.merged == nullptr) continue;
        for (const TrackIndex track : node.merged->tracks()) nodeOf[track.value] = i;
    }
}

TimelineRow TimelineModel::describe(const Node& node) const {
    TimelineRow row{.kind = node.kind,
                    .level = node.level,
                    .pinned = node.pinned,
                    .source = node.source,
                    .rank = node.rank,
                    .firstTrack = node.firstTrack,
                    .trackCount = node.trackCount,
                    .merged = node.merged,
                    .streams = node.streams,
                    .model = node.model,
                    .memory = node.memory};
    const auto self = static_cast<std::uint32_t>(&node - m_nodes.data());
    std::uint32_t parts = 0;
    if (node.kind >= TimelineRowKind::Thread) {
        const TrackExtent& extent = traceOf(row)->extent({node.firstTrack});
        const std::uint32_t depths = node.merged != nullptr ? node.merged->depthCount() : extent.runCount;
        parts = node.kind == TimelineRowKind::Thread ? std::max(depths, 1U) : extent.seriesCount;
        row.expandable = parts > 1;
    } else {
        row.expandable = node.behind > self + 1 || (node.memory && traceOf(node) == nullptr);
    }
    const RowKey key = keyOf(node);
    const auto told = m_expanded.find(key);
    row.expanded = row.expandable && (told != m_expanded.end() ? told->second : startsExpanded(row));
    const auto changed = m_arrangement.heights.find(key);
    const RowHeights heights = changed == m_arrangement.heights.end() ? RowHeights{} : changed->second;
    const auto inPixels = [this](int hundredths, int automatic) {
        return hundredths > 0 ? std::max(m_metrics.lane * hundredths / 100, kLeastLane) : automatic;
    };

    row.lane = m_metrics.lane;
    if (node.kind < TimelineRowKind::Thread) {
        row.height = row.expanded ? m_metrics.group : inPixels(heights.shut, m_metrics.group);
    } else if (node.kind == TimelineRowKind::Counter && !row.expanded) {
        row.lanes = 1;
        row.height = inPixels(heights.shut, m_metrics.counter);
    } else if (row.expanded || parts == 1) {
        row.lanes = parts;
        row.lane = inPixels(heights.open, m_metrics.lane);
        row.height = static_cast<int>(parts) * row.lane + m_metrics.gap;
    } else {
        const auto most = static_cast<std::uint32_t>(kCollapsedLanes * m_metrics.lane);
        const int inner = std::max(static_cast<int>(std::min(parts, most)) * m_metrics.strip, m_metrics.lane);
        row.height = inPixels(heights.shut, std::min(inner, kCollapsedLanes * m_metrics.lane) + m_metrics.gap);
        row.lanes = std::min(parts, static_cast<std::uint32_t>(std::max(row.height - m_metrics.gap, 1)));
    }
    return row;
}

RowHeights TimelineModel::heightsFor(const TimelineRow& row, int height) const {
    const auto known = m_arrangement.heights.find(keyOf(row));
    RowHeights heights = known == m_arrangement.heights.end() ? RowHeights{} : known->second;
    // Rounded up, so that what comes of it is as high as requested.
    const auto hundredths = [this](int pixels) {
        return (std::clamp(pixels, kLeastLane, kMostLane) * 100 + m_metrics.lane - 1) / m_metrics.lane;
    };
    const bool inLanes = row.kind == TimelineRowKind::Thread ? row.expanded || !row.expandable : row.expanded;
    if (inLanes) heights.open = hundredths((height - m_metrics.gap) / static_cast<int>(row.lanes));
    else heights.shut = hundredths(height);
    return heights;
}

bool TimelineModel::startsExpanded(const TimelineRow& row) const {
    switch (row.kind) {
    case TimelineRowKind::Capture:
    case TimelineRowKind::Host: return true;
    case TimelineRowKind::Thread:
        // They repeat what the operators above them say, many rows deep.
        if (row.merged == nullptr && traceOf(row)->track({row.firstTrack}).kind == TrackKind::Stack) return false;
        return (row.merged != nullptr ? row.merged->depthCount() : traceOf(row)->depthCount({row.firstTrack})) <=
               kDeepThread;
    case TimelineRowKind::Rank: return m_sources[row.source].store->ranks.size() <= kManyRanks;
    case TimelineRowKind::Process: return !row.memory && !onlyCounters(*traceOf(row), row.firstTrack, row.trackCount);
    // A graph may have dozens of streams, and is looked at as a whole.
    case TimelineRowKind::Model:
    case TimelineRowKind::Counter: return false;
    }
    return false;
}

void TimelineModel::layOut() {
    m_rows.clear();
    m_pinnedRows = 0;
    m_pinnedHeight = 0;
    std::int64_t top = 0;
    for (std::uint32_t i = 0; i < m_nodes.size();) {
        TimelineRow row = describe(m_nodes[i]);
        row.top = top;
        top += row.height;
        const auto index = static_cast<std::uint32_t>(m_rows.size());
        m_nodes[i].row = index;
        m_nodes[i].hidden = false;
        const std::uint32_t behind = m_nodes[i].behind;
        const bool open = row.expanded || row.kind >= TimelineRowKind::Thread;
        m_rows.push_back(row);
        if (row.pinned) {
            m_pinnedRows = m_rows.size();
            m_pinnedHeight = top;
        }
        ++i;
        for (; !open && i < behind; ++i) {
            m_nodes[i].row = index;
            m_nodes[i].hidden = true;
        }
    }
}

}  // namespace altiscope
