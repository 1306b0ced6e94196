#include "views/timeline/rows/row_layout.h"

#include "views/timeline/rows/key_lanes.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Pixels of a lane or collapsed row, however the user drags it.
constexpr int kMinLane = 4, kMaxLane = 1000;

/// Whether a row of tracks holds counters and nothing else.
bool onlyCounters(const TraceStore& trace, std::uint32_t first, std::uint32_t count) {
    for (std::uint32_t t = first; t < first + count; ++t) {
        const TrackExtent& extent = trace.extent({t});
        if (extent.sliceCount != 0 || extent.instantCount != 0) return false;
    }
    return true;
}

RowHeights keptHeights(const TrackNode& node, const RowStyle& style) {
    const auto kept = style.heights.find(style.sources.keyOf(node));
    return kept == style.heights.end() ? RowHeights{} : kept->second;
}

/// Until the user expands or collapses it.
bool startsExpanded(const TrackNode& node, const TimelineSources& sources) {
    switch (node.kind) {
    case TimelineRowKind::Capture:
    case TimelineRowKind::Host: return true;
    case TimelineRowKind::Thread:
        if (node.merged != nullptr) return node.merged->depthCount() <= kDeepThread;
        // Stacks repeat what the operators above them say, many rows deep.
        return sources.traceOf(node)->track({node.firstTrack}).kind != TrackKind::Stack &&
               sources.traceOf(node)->depthCount({node.firstTrack}) <= kDeepThread;
    case TimelineRowKind::Rank: return sources[node.source].store->ranks.size() <= kManyRanks;
    case TimelineRowKind::Process:
        return !node.memory && !onlyCounters(*sources.traceOf(node), node.firstTrack, node.trackCount);
    // A graph may have dozens of streams, and is looked at as a whole.
    case TimelineRowKind::Model:
    case TimelineRowKind::Counter: return false;
    }
    return false;
}

}  // namespace

std::size_t RowLayout::rowAt(std::int64_t y) const {
    const auto after = std::upper_bound(rows.begin(), rows.end(), y,
                                        [](std::int64_t value, const TimelineRow& row) { return value < row.top; });
    return after == rows.begin() ? 0 : static_cast<std::size_t>(after - rows.begin()) - 1;
}

TimelineRow rowOf(const TrackTree& tree, std::size_t place, const RowStyle& style) {
    const TrackTree::Node& node = tree.nodes[place];
    TimelineRow row{node};
    std::uint32_t parts = 0;
    if (node.kind >= TimelineRowKind::Thread) {
        const TrackExtent& extent = style.sources.traceOf(node)->extent({node.firstTrack});
        const std::uint32_t depths = node.merged != nullptr ? node.merged->depthCount() : extent.runCount;
        parts = node.kind == TimelineRowKind::Thread ? std::max(depths, 1U) : extent.seriesCount;
        row.expandable = parts > 1;
    } else {
        row.expandable = node.after > place + 1 || (node.memory && style.sources.traceOf(node) == nullptr);
    }
    const RowKey key = style.sources.keyOf(node);
    const auto changed = style.expansion.find(key), opening = style.opening.expansion.find(key);
    row.expanded = row.expandable && (changed != style.expansion.end()           ? changed->second
                                      : opening != style.opening.expansion.end() ? opening->second
                                                                                 : startsExpanded(node, style.sources));
    const RowHeights heights = keptHeights(node, style);
    const RowMetrics& metrics = style.metrics;
    const auto inPixels = [&metrics](int hundredths, int automatic) {
        return hundredths > 0 ? std::max(metrics.lane * hundredths / 100, kMinLane) : automatic;
    };

    row.lane = metrics.lane;
    if (node.kind < TimelineRowKind::Thread) {
        const auto folded = style.opening.folded.find(key);
        const int automatic = folded == style.opening.folded.end() ? metrics.group : folded->second;
        row.height = row.expanded ? metrics.group : inPixels(heights.shut, automatic);
        // One that is higher than its title has lanes with names.
        const bool hasLanes = !row.expanded && node.kind >= TimelineRowKind::Rank && row.height > metrics.group;
        row.lanes = hasLanes ? static_cast<std::uint32_t>((row.height - metrics.gap) / metrics.lane) : 0;
    } else if (node.kind == TimelineRowKind::Counter && !row.expanded) {
        row.lanes = 1;
        row.height = inPixels(heights.shut, metrics.counter);
    } else if (row.expanded || parts == 1) {
        row.lanes = parts;
        row.lane = inPixels(heights.open, style.opening.lane > 0 ? style.opening.lane : metrics.lane);
        row.height = static_cast<int>(parts) * row.lane + metrics.gap;
    } else {
        const auto most = static_cast<std::uint32_t>(kCollapsedLanes * metrics.lane);
        const int inner = std::max(static_cast<int>(std::min(parts, most)) * metrics.strip, metrics.lane);
        row.height = inPixels(heights.shut, std::min(inner, kCollapsedLanes * metrics.lane) + metrics.gap);
        row.lanes = std::min(parts, static_cast<std::uint32_t>(std::max(row.height - metrics.gap, 1)));
        // Else the strips around it would be gone.
        if (node.merged == nullptr && row.height - metrics.gap >= 2 * metrics.lane) {
            const std::uint32_t depth = mainDepth(*style.sources.traceOf(node), {node.firstTrack});
            if (depth < row.lanes) row.named = depth;
        }
    }
    return row;
}

std::int64_t stripBegin(const TimelineRow& row, std::int64_t inner, std::int64_t lane, std::uint32_t depth) {
    if (row.named >= row.lanes || row.lanes < 2) return inner * depth / std::max(row.lanes, 1U);
    const std::int64_t strips = inner - lane, others = row.lanes - 1;
    return depth <= row.named ? strips * depth / others : lane + strips * (depth - 1) / others;
}

RowHeights heightsFor(const TimelineRow& row, int height, const RowStyle& style) {
    RowHeights heights = keptHeights(row, style);
    const RowMetrics& metrics = style.metrics;
    // Rounded up, so that what comes of it is as high as requested.
    const auto hundredths = [&metrics](int pixels) {
        return (std::clamp(pixels, kMinLane, kMaxLane) * 100 + metrics.lane - 1) / metrics.lane;
    };
    const bool inLanes = row.kind == TimelineRowKind::Thread ? row.expanded || !row.expandable : row.expanded;
    if (inLanes) heights.open = hundredths((height - metrics.gap) / static_cast<int>(row.lanes));
    else heights.shut = hundredths(height);
    return heights;
}

namespace {

/// The tracks of the rows that a group would show. Null for those without a picture; a model knows its streams.
std::shared_ptr<const std::vector<TrackIndex>> tracksLeft(const TrackTree& tree, std::size_t group) {
    const TrackTree::Node& node = tree.nodes[group];
    if ((node.kind != TimelineRowKind::Rank && node.kind != TimelineRowKind::Process) || node.memory) return nullptr;
    auto left = std::make_shared<std::vector<TrackIndex>>();
    for (std::size_t i = group + 1; i < node.after; ++i) {
        if (tree.nodes[i].kind < TimelineRowKind::Thread) continue;
        const std::vector<TrackIndex> own = tracksIn(tree.nodes[i]);
        left->insert(left->end(), own.begin(), own.end());
    }
    std::sort(left->begin(), left->end());
    return left;
}

}  // namespace

RowLayout layOutRows(const TrackTree& tree, const RowStyle& style) {
    RowLayout layout;
    layout.places.resize(tree.nodes.size());
    struct Open {
        std::uint32_t row, after;
    };
    std::vector<Open> around;  // expanded rows that the present one lies in
    for (std::uint32_t i = 0; i < tree.nodes.size();) {
        for (; !around.empty() && around.back().after <= i; around.pop_back())
            layout.rows[around.back().row].end = layout.height();
        TimelineRow row = rowOf(tree, i, style);
        row.top = layout.height();
        row.end = row.top + row.height;
        const std::size_t index = layout.rows.size();
        if (!around.empty()) row.around = around.back().row;
        const bool isOpen = row.expanded || row.kind >= TimelineRowKind::Thread;
        const std::uint32_t after = tree.nodes[i].after;
        if (isOpen && after > i + 1) around.push_back({static_cast<std::uint32_t>(index), after});
        if (!isOpen && tree.hiddenTracks > 0) row.left = tracksLeft(tree, i);
        layout.rows.push_back(std::move(row));
        if (layout.rows.back().pinned) {
            layout.pinnedRows = layout.rows.size();
            layout.pinnedHeight = layout.height();
        }
        layout.places[i++] = {index, false};
        for (; !isOpen && i < after; ++i) layout.places[i] = {index, true};
    }
    for (const Open& open : around) layout.rows[open.row].end = layout.height();
    return layout;
}

}  // namespace altiscope
