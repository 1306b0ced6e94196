#include "views/timeline/rows/track_tree.h"

#include "core/analysis/memory/memory_tracks.h"
#include "views/common/support/formatters.h"
#include "views/timeline/rows/row_titles.h"

#include <algorithm>
#include <set>
#include <span>
#include <string_view>
#include <unordered_map>
#include <unordered_set>

namespace altiscope {

namespace {

bool isEmpty(const TrackExtent& extent) {
    return extent.sliceCount == 0 && extent.seriesCount == 0 && extent.instantCount == 0;
}

TimelineRowKind rowKindOf(const TrackExtent& extent) {
    return extent.seriesCount > 0 && extent.sliceCount == 0 ? TimelineRowKind::Counter : TimelineRowKind::Thread;
}

std::uint8_t below(std::uint8_t level) { return static_cast<std::uint8_t>(level + 1); }

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

class TreeBuilder {
public:
    using Node = TrackTree::Node;

    TreeBuilder(const TimelineSources& sources, const TreeChoices& choices, const MergedThreads::ByThread& merged)
        : m_sources(sources), m_context(choices.context), m_filter(choices.filter), m_arrangement(choices.arrangement),
          m_merged(merged), m_pinned(choices.arrangement.pinned.begin(), choices.arrangement.pinned.end()) {}

    TrackTree build() {
        for (std::uint32_t source = 0; source < m_sources.size(); ++source) addSource(source);
        putPinnedFirst();
        noteTracks();
        return std::move(m_tree);
    }

private:
    void addSource(std::uint32_t source);
    void addHost(std::uint32_t source, std::string_view host, std::uint8_t level, bool isShown);
    void addRank(std::uint32_t source, RankIndex rank, std::uint8_t level);
    void addProcess(const Node& process);
    std::vector<Node> childrenOf(const Node& process);
    void addChildren(std::vector<Node>& nodes, const std::vector<Node>& children, std::uint8_t level) const;
    void addModel(std::vector<Node>& nodes, const std::vector<Node>& children, const Node& first,
                  std::uint8_t level) const;
    void putPinnedFirst();
    void noteTracks();
    bool isFilteredOut(const Node& process, std::uint32_t track);
    bool isMemoryFilteredOut(const Node& process) const;

    /// The user's order of what stands below `parent`.
    template <class Child, class KeyOf>
    void sortBelow(const RowKey& parent, std::vector<Child>& children, KeyOf keyOf) const {
        const auto order = m_arrangement.order.find(parent);
        if (order != m_arrangement.order.end()) sortBy(children, order->second, keyOf);
    }
    void sortNodesBelow(const RowKey& parent, std::vector<Node>& children) const {
        sortBelow(parent, children, [this](const Node& child) { return m_sources.keyOf(child); });
    }
    static void close(std::vector<Node>& nodes, std::size_t node) {
        nodes[node].after = static_cast<std::uint32_t>(nodes.size());
    }

    const ContextFilter& contextOf(std::uint32_t source) const {
        const auto& companion = m_sources[source].companion;
        return companion != nullptr && companion->context ? *companion->context : m_context;
    }

    const TimelineSources& m_sources;
    const ContextFilter& m_context;
    const TrackFilter& m_filter;
    const TrackArrangement& m_arrangement;
    const MergedThreads::ByThread& m_merged;
    std::unordered_set<RowKey, RowKeyHash> m_pinned;
    std::unordered_map<RowKey, std::vector<Node>, RowKeyHash> m_pins;  // with all below, by what is pinned
    /// Whether texts hold that of the filter: thousands of ranks have the same few.
    std::unordered_map<std::string_view, bool> m_matches;
    TrackTree m_tree;
};

void TreeBuilder::addSource(std::uint32_t source) {
    const std::size_t capture = m_tree.nodes.size();
    const bool isShown = m_sources.size() > 1;
    if (isShown) m_tree.nodes.push_back({{TimelineRowKind::Capture, 0, source}});
    // Hosts in the order in which their first rank comes; ranks keep their order within.
    std::vector<std::string_view> hosts;
    for (const RankEntry& entry : m_sources[source].store->ranks) {
        if (!contextOf(source).holds(entry.info)) continue;
        if (std::find(hosts.begin(), hosts.end(), entry.info.host) == hosts.end()) hosts.push_back(entry.info.host);
    }
    for (const std::string_view host : hosts) addHost(source, host, isShown ? 1 : 0, hosts.size() > 1);
    if (isShown) close(m_tree.nodes, capture);
}

void TreeBuilder::addHost(std::uint32_t source, std::string_view host, std::uint8_t level, bool isShown) {
    const auto& ranks = m_sources[source].store->ranks;
    std::vector<RankIndex> own;
    for (RankIndex rank; rank.value < ranks.size(); ++rank.value) {
        if (ranks[rank.value].info.host == host) own.push_back(rank);
    }
    const CaptureId capture = m_sources[source].capture;
    sortBelow(hostKey(capture, host), own, [capture](RankIndex rank) {
        return RowKey{capture, rank, TimelineRowKind::Rank, 0};
    });
    const std::size_t node = m_tree.nodes.size();
    if (isShown) m_tree.nodes.push_back({{TimelineRowKind::Host, level, source, kNoRank, own.front().value}});
    for (const RankIndex rank : own) {
        if (contextOf(source).holds(ranks[rank.value].info)) addRank(source, rank, isShown ? below(level) : level);
    }
    if (isShown) close(m_tree.nodes, node);
}

void TreeBuilder::addRank(std::uint32_t source, RankIndex rank, std::uint8_t level) {
    const RankEntry& entry = m_sources[source].store->ranks[rank.value];
    const TraceStore* trace = entry.trace.get();
    const std::uint32_t trackCount = trace == nullptr ? 0 : static_cast<std::uint32_t>(trace->tracks().size());
    const std::size_t node = m_tree.nodes.size();
    m_tree.nodes.push_back({{TimelineRowKind::Rank, level, source, rank, 0, trackCount}});
    std::vector<Node> processes;
    for (std::uint32_t first = 0; first < trackCount;) {
        std::uint32_t last = first + 1;
        while (last < trackCount && trace->track({last}).pid == trace->track({first}).pid) ++last;
        processes.push_back({{TimelineRowKind::Process, below(level), source, rank, first, last - first}});
        first = last;
    }
    if (trace != nullptr && hasMemorySamples(entry.rows.get())) {
        const TraceStore* memory = m_sources.memoryOf(source, rank);
        const auto curves = memory == nullptr ? 0 : static_cast<std::uint32_t>(memory->tracks().size());
        processes.push_back({{TimelineRowKind::Process, below(level), source, rank, 0, curves}});
        processes.back().memory = true;
    }
    sortNodesBelow(m_sources.keyOf(m_tree.nodes[node]), processes);
    for (const Node& process : processes) addProcess(process);
    close(m_tree.nodes, node);
}

/// Its tracks, or what they are merged to, in the order of the trace; those that the filter excludes are counted.
std::vector<TreeBuilder::Node> TreeBuilder::childrenOf(const Node& process) {
    const TraceStore* trace = m_sources.traceOf(process);
    std::vector<Node> children;
    for (std::uint32_t t = process.firstTrack; t < process.firstTrack + process.trackCount; ++t) {
        const TrackExtent& extent = trace->extent({t});
        if (isEmpty(extent)) continue;
        Node child{{rowKindOf(extent), 0, process.source, process.rank, t, 1}};
        child.memory = process.memory;
        const TrackIndex alone{t};
        std::span<const TrackIndex> tracks(&alone, 1);
        const auto merged = m_merged.empty() ? m_merged.end() : m_merged.find(m_sources.keyOf(child));
        if (merged != m_merged.end()) {
            child.merged = merged->second;
            tracks = child.merged->tracks();
            if (tracks.front().value != t) continue;
        }
        // Threads that were merged over models are of none.
        if (!process.memory) child.model = m_sources.modelOf(process.source, process.rank, {t});
        const auto isOfAnother = [&](TrackIndex track) {
            return m_sources.modelOf(process.source, process.rank, track) != child.model;
        };
        if (child.merged != nullptr && std::any_of(tracks.begin(), tracks.end(), isOfAnother))
            child.model = TrackNode::kNoModel;
        const auto isExcluded = [&](TrackIndex track) { return isFilteredOut(process, track.value); };
        if (std::all_of(tracks.begin(), tracks.end(), isExcluded)) m_tree.hiddenTracks += tracks.size();
        else children.push_back(std::move(child));
    }
    return children;
}

/// With its tracks, to where it is pinned or to the tree.
void TreeBuilder::addProcess(const Node& process) {
    const RowKey key = m_sources.keyOf(process);
    std::vector<Node> children = childrenOf(process);
    sortNodesBelow(key, children);
    const bool isOwnPin = m_pinned.contains(key);
    std::vector<Node>& nodes = isOwnPin ? m_pins[key] : m_tree.nodes;
    const std::size_t at = nodes.size();
    nodes.push_back(process);
    if (isOwnPin) nodes.back().level = 0;
    const std::uint8_t level = below(nodes.back().level);
    if (!m_pinned.empty()) {
        for (Node& child : children) {
            const RowKey childKey = m_sources.keyOf(child);
            if (!m_pinned.contains(childKey)) continue;
            std::vector<Node>& target = m_pins[childKey];
            child.model = TrackNode::kNoModel;
            target.push_back(child);
            close(target, target.size() - 1);
        }
        std::erase_if(children, [&](const Node& child) { return m_pinned.contains(m_sources.keyOf(child)); });
    }
    addChildren(nodes, children, level);
    const TimelineSource& source = m_sources[process.source];
    const bool isUnread =
        process.memory && m_sources.traceOf(process) == nullptr && !isMemoryFilteredOut(process) &&
        !m_sources.memory().contains({source.capture, process.rank, source.store->ranks[process.rank.value].rows});
    if (nodes.size() == at + 1 && !isUnread) nodes.pop_back();
    else close(nodes, at);
}

/// Streams of a model stand below it, where the first of them would.
void TreeBuilder::addChildren(std::vector<Node>& nodes, const std::vector<Node>& children, std::uint8_t level) const {
    std::set<std::int64_t> done;
    for (const Node& child : children) {
        if (child.model != TrackNode::kNoModel) {
            if (done.insert(child.model).second) addModel(nodes, children, child, level);
            continue;
        }
        nodes.push_back(child);
        nodes.back().level = level;
        close(nodes, nodes.size() - 1);
    }
}

void TreeBuilder::addModel(std::vector<Node>& nodes, const std::vector<Node>& children, const Node& first,
                           std::uint8_t level) const {
    // Known by the first of all its streams, whichever of them are shown.
    const TraceStore& trace = *m_sources[first.source].store->ranks[first.rank.value].trace;
    const StreamModels& models = *m_sources[first.source].models[first.rank.value];
    const auto isFirst = [&](const auto& stream) {
        return stream.second == first.model && trace.track({stream.first}).pid == trace.track({first.firstTrack}).pid;
    };
    auto streams = std::make_shared<std::vector<TrackIndex>>();
    const std::size_t at = nodes.size();
    nodes.push_back({{TimelineRowKind::Model, level, first.source, first.rank,
                      std::find_if(models.begin(), models.end(), isFirst)->first, 1}});
    nodes[at].model = first.model;
    for (const Node& child : children) {
        if (child.model != first.model) continue;
        const std::vector<TrackIndex> own = tracksIn(child);
        streams->insert(streams->end(), own.begin(), own.end());
        nodes.push_back(child);
        nodes.back().level = below(level);
        close(nodes, nodes.size() - 1);
    }
    std::sort(streams->begin(), streams->end());
    nodes[at].streams = std::move(streams);
    close(nodes, at);
}

void TreeBuilder::putPinnedFirst() {
    std::vector<Node> nodes;
    const auto append = [&nodes](const std::vector<Node>& more, bool pinned) {
        const auto by = static_cast<std::uint32_t>(nodes.size());
        for (const Node& node : more) {
            nodes.push_back(node);
            nodes.back().after += by;
            nodes.back().pinned = pinned;
        }
    };
    for (const RowKey& key : m_arrangement.pinned) {
        const auto pin = m_pins.find(key);
        if (pin != m_pins.end()) append(pin->second, true);
    }
    if (nodes.empty()) return;
    append(m_tree.nodes, false);
    m_tree.nodes = std::move(nodes);
}

void TreeBuilder::noteTracks() {
    for (const TimelineSource& source : m_sources) m_tree.nodeOfTrack.emplace_back(source.store->ranks.size());
    for (std::uint32_t i = 0; i < m_tree.nodes.size(); ++i) {
        const Node& node = m_tree.nodes[i];
        if (node.kind < TimelineRowKind::Thread || node.memory) continue;
        auto& nodeOf = m_tree.nodeOfTrack[node.source][node.rank.value];
        if (nodeOf.empty()) nodeOf.assign(m_sources.traceOf(node)->tracks().size(), TrackTree::kNoNode);
        nodeOf[node.firstTrack] = i;
        if (node.merged == nullptr) continue;
        for (const TrackIndex track : node.merged->tracks()) nodeOf[track.value] = i;
    }
}

bool TreeBuilder::isFilteredOut(const Node& process, std::uint32_t track) {
    if (m_filter.empty()) return false;
    const TraceStore& trace = *m_sources.traceOf(process);
    const Track& which = trace.track({track});
    if (m_filter.hiddenKinds.contains(which.kind)) return true;
    const TimelineRowKind kind = rowKindOf(trace.extent({track}));
    if (m_filter.hidden.contains(m_sources.keyOf(process)) ||
        m_filter.hidden.contains({m_sources[process.source].capture, process.rank, kind, which.id.value}))
        return true;
    const auto matchesText = [&](std::string_view text) {
        const auto [known, isNew] = m_matches.try_emplace(text, false);
        if (isNew) known->second = toQString(text).contains(m_filter.text, Qt::CaseInsensitive);
        return known->second;
    };
    return !m_filter.text.isEmpty() && !matchesText(which.name) && !matchesText(which.process);
}

/// While its curves are not read; they are filtered one by one then.
bool TreeBuilder::isMemoryFilteredOut(const Node& process) const {
    return m_filter.hiddenKinds.contains(TrackKind::Counter) || m_filter.hidden.contains(m_sources.keyOf(process)) ||
           (!m_filter.text.isEmpty() && !rowTitle(m_sources, process).contains(m_filter.text, Qt::CaseInsensitive));
}

}  // namespace

std::optional<std::uint32_t> TrackTree::nodeOf(std::uint32_t source, RankIndex rank, TrackIndex track) const {
    if (source >= nodeOfTrack.size() || rank.value >= nodeOfTrack[source].size()) return std::nullopt;
    const auto& own = nodeOfTrack[source][rank.value];
    return track.value >= own.size() || own[track.value] == kNoNode ? std::nullopt : std::optional(own[track.value]);
}

TrackTree buildTrackTree(const TimelineSources& sources, const TreeChoices& choices,
                         const MergedThreads::ByThread& merged) {
    return TreeBuilder(sources, choices, merged).build();
}

std::vector<RowKey> siblingsOf(const TrackTree& tree, const TimelineSources& sources, const TrackNode& row) {
    std::vector<RowKey> siblings;
    if (row.kind < TimelineRowKind::Rank || row.kind == TimelineRowKind::Model) return siblings;
    const bool amongPins = row.pinned && row.level == 0;
    const RowKey parent = sources.parentKeyOf(row);
    const auto isSibling = [&](const TrackNode& node) {
        if (node.pinned != row.pinned || (node.pinned && (node.level == 0) != amongPins)) return false;
        if (amongPins) return true;
        if (row.kind < TimelineRowKind::Thread) return node.kind == row.kind && sources.parentKeyOf(node) == parent;
        // By its process and not by parentKeyOf(), which looks for the process's first track.
        return node.kind >= TimelineRowKind::Thread && node.source == row.source && node.rank == row.rank &&
               node.model == row.model && node.memory == row.memory &&
               sources.traceOf(row)->track({node.firstTrack}).pid == sources.traceOf(row)->track({row.firstTrack}).pid;
    };
    for (const TrackNode& node : tree.nodes) {
        if (isSibling(node)) siblings.push_back(sources.keyOf(node));
    }
    return siblings;
}

}  // namespace altiscope
