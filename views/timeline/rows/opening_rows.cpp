#include "views/timeline/rows/opening_rows.h"

#include "views/timeline/rows/key_lanes.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

namespace altiscope {

namespace {

/// Strips below the lanes of a collapsed row: computing, communication and free time have one each.
constexpr int kStrips = 3, kMaxStrip = 8;
/// Lanes of a collapsed rank: kernels and collectives, however many ranks there are; one more than the max tells
/// nothing new.
constexpr int kMinLanes = 2, kMaxLanes = 6;
/// How far lanes grow where there are few rows: a name is lost in a lane that is higher.
constexpr int kMaxGrowth = 3;

class Planner {
public:
    Planner(const TrackTree& tree, const RowStyle& style, int room)
        : m_tree(tree), m_style{style.sources, m_nothing, m_noHeights, style.metrics, m_opening}, m_room(room) {}

    OpeningRows plan() {
        std::vector<std::uint32_t> ranks;
        int fixed = 0;
        for (std::uint32_t i = 0; i < m_tree.nodes.size(); ++i) {
            const TrackTree::Node& node = m_tree.nodes[i];
            if (node.pinned) continue;
            if (node.kind < TimelineRowKind::Rank) fixed += m_style.metrics.group;
            if (node.kind == TimelineRowKind::Rank) ranks.push_back(i);
        }
        if (ranks.empty() || m_room <= 0) return {};
        // The same for each, so that ranks of one kind look alike.
        const int share = std::max(m_room - fixed, 0) / static_cast<int>(ranks.size());
        for (const std::uint32_t rank : ranks) planRank(rank, share, ranks.size() <= kUnfoldedRanks);
        grow(ranks.size());
        return std::move(m_opening);
    }

private:
    /// Height of a node with all below it, as the plan is now.
    int heightOf(std::uint32_t node) const {
        int height = 0;
        for (std::uint32_t i = node; i < m_tree.nodes[node].after;) {
            const TimelineRow row = rowOf(m_tree, i, m_style);
            height += row.height;
            i = row.expanded || row.kind >= TimelineRowKind::Thread ? i + 1 : m_tree.nodes[i].after;
        }
        return height;
    }
    RowKey keyOf(std::uint32_t node) const { return m_style.sources.keyOf(m_tree.nodes[node]); }
    void expand(std::uint32_t node, bool expanded) { m_opening.expansion[keyOf(node)] = expanded; }

    int foldedHeight(int lanes) const { return lanes * m_style.metrics.lane + m_style.metrics.gap; }

    void planRank(std::uint32_t rank, int share, bool mayExpand) {
        const TrackTree::Node& node = m_tree.nodes[rank];
        const TraceStore* trace = m_style.sources.traceOf(node);
        if (trace == nullptr || node.after == rank + 1) return;
        if (mayExpand && expandRank(rank, *trace, share)) return;
        expand(rank, false);
        const RowMetrics& metrics = m_style.metrics;
        int lanes = std::clamp((share - metrics.gap) / metrics.lane, kMinLanes, kMaxLanes);
        // Few ranks have as many lanes as there are to show.
        if (mayExpand) {
            const auto keys = keyLanes(*trace, shownTracks(rank), static_cast<std::size_t>(lanes));
            lanes = std::max(static_cast<int>(keys.size()), 1);
        }
        const int below = std::min(share - foldedHeight(lanes), kStrips * kMaxStrip);
        const int height = foldedHeight(lanes) + (below >= 2 * kStrips ? below : 0);
        m_opening.folded[keyOf(rank)] = height;
    }

    /// Threads below a rank that the filter does not exclude.
    std::vector<TrackIndex> shownTracks(std::uint32_t rank) const {
        std::vector<TrackIndex> shown;
        for (std::uint32_t i = rank + 1; i < m_tree.nodes[rank].after; ++i) {
            const TrackTree::Node& below = m_tree.nodes[i];
            if (below.kind != TimelineRowKind::Thread || below.memory) continue;
            for (const TrackIndex track : tracksIn(below)) shown.push_back(track);
        }
        std::sort(shown.begin(), shown.end());
        return shown;
    }

    struct Process {
        std::uint32_t node = 0;
        int lanes = 0;  ///< Key lanes in it.
        bool done = false;
    };

    /// As far as the share is enough. @return Whether it is, for the key lanes at least.
    bool expandRank(std::uint32_t rank, const TraceStore& trace, int share) {
        const TrackTree::Node& node = m_tree.nodes[rank];
        std::vector<Process> processes;
        for (std::uint32_t i = rank + 1; i < node.after; ++i)
            if (m_tree.nodes[i].kind == TimelineRowKind::Process) processes.push_back({i, 0, false});
        // One of each role: more are shown where there is room.
        constexpr std::size_t kKeys = 3;
        const std::vector<KeyLane> keys = keyLanes(trace, shownTracks(rank), kKeys);
        for (const KeyLane& key : keys) {
            for (Process& process : processes) {
                const TrackTree::Node& of = m_tree.nodes[process.node];
                const std::uint32_t first = of.firstTrack, after = first + of.trackCount;
                if (!of.memory && key.track.value >= first && key.track.value < after) ++process.lanes;
            }
        }
        const RowMetrics& metrics = m_style.metrics;
        int needed = metrics.group;
        for (const Process& process : processes)
            needed += process.lanes > 0 ? std::max(foldedHeight(process.lanes), metrics.group) : metrics.group;
        if (needed > share) return false;
        expand(rank, true);
        int left = share - needed;
        for (const Process& process : processes) {
            expand(process.node, false);
            if (process.lanes > 0) m_opening.folded[keyOf(process.node)] = foldedHeight(process.lanes);
        }
        for (const bool isKey : {true, false}) {
            for (Process& process : processes) {
                if ((process.lanes > 0) != isKey || m_tree.nodes[process.node].memory) continue;
                left -= expandProcess(process, left);
            }
        }
        // The rest of the height shows more lanes of processes that could not be expanded.
        for (const Process& process : processes) {
            if (process.done || process.lanes == 0 || left < metrics.lane) continue;
            const int more = std::min(left / metrics.lane, kMaxLanes - process.lanes);
            if (more <= 0) continue;
            m_opening.folded[keyOf(process.node)] += more * metrics.lane;
            left -= more * metrics.lane;
        }
        return true;
    }

    /// As it would be by itself, else with all its threads as strips. @return what it takes of what is left.
    int expandProcess(Process& process, int left) {
        const TrackTree::Node& node = m_tree.nodes[process.node];
        const int before = heightOf(process.node);
        if (node.after == process.node + 1) return 0;
        // Counters alone stay collapsed: they are many.
        m_opening.expansion.erase(keyOf(process.node));
        if (!rowOf(m_tree, process.node, m_style).expanded) {
            expand(process.node, false);
            return 0;
        }
        for (const bool asStrips : {false, true}) {
            if (asStrips) {
                for (std::uint32_t i = process.node + 1; i < node.after; ++i)
                    if (m_tree.nodes[i].kind == TimelineRowKind::Thread) expand(i, false);
            }
            const int more = heightOf(process.node) - before;
            if (more > left) continue;
            process.done = true;
            return more;
        }
        for (std::uint32_t i = process.node + 1; i < node.after; ++i) m_opening.expansion.erase(keyOf(i));
        expand(process.node, false);
        return 0;
    }

    /// Where all rows leave much of the canvas empty, lanes are higher.
    void grow(std::size_t ranks) {
        if (ranks > kUnfoldedRanks) return;
        int all = 0, lanes = 0;
        for (std::uint32_t i = 0; i < m_tree.nodes.size();) {
            const TimelineRow row = rowOf(m_tree, i, m_style);
            const bool isLaned = row.kind == TimelineRowKind::Thread && (row.expanded || !row.expandable);
            if (isLaned) lanes += static_cast<int>(row.lanes);
            if (!row.pinned) all += row.height;
            const bool isOpen = row.expanded || row.kind >= TimelineRowKind::Thread;
            i = isOpen ? i + 1 : m_tree.nodes[i].after;
        }
        if (lanes == 0 || all >= m_room) return;
        const int lane = m_style.metrics.lane + (m_room - all) / lanes;
        m_opening.lane = std::min(lane, kMaxGrowth * m_style.metrics.lane);
    }

    const TrackTree& m_tree;
    const RowExpansion m_nothing;
    const std::unordered_map<RowKey, RowHeights, RowKeyHash> m_noHeights;
    OpeningRows m_opening;
    const RowStyle m_style;
    const int m_room;
};

}  // namespace

OpeningRows openingRows(const TrackTree& tree, const RowStyle& style, int room) {
    return Planner(tree, style, room).plan();
}

}  // namespace altiscope
