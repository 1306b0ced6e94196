#include "views/timeline/rows/timeline_model.h"

#include "views/timeline/rows/opening_rows.h"

#include <utility>

namespace altiscope {

void TimelineModel::setSources(std::vector<TimelineSource> sources) {
    m_sources.set(std::move(sources));
    m_merged.eraseUnused(m_sources, m_choices.arrangement);
    eraseUnusedMemory();
    rebuild();
}

void TimelineModel::setContext(const ContextFilter& context) {
    const ContextFilter before = std::exchange(m_choices.context, context);
    if (context.ranks != before.ranks || context.devices != before.devices) rebuild();
}

void TimelineModel::setFilter(const TrackFilter& filter) {
    m_choices.filter = filter;
    rebuild();
}

void TimelineModel::setArrangement(TrackArrangement arrangement) {
    m_choices.arrangement = std::move(arrangement);
    m_merged.eraseUnused(m_sources, m_choices.arrangement);
    rebuild();
}

void TimelineModel::setExpansion(RowExpansion expansion) {
    m_expansion = std::move(expansion);
    layOut();
}

void TimelineModel::setMetrics(const RowMetrics& metrics) {
    m_metrics = metrics;
    open();
}

void TimelineModel::setRoom(int height) {
    if (std::exchange(m_room, height) != height) open();
}

void TimelineModel::setExpanded(std::size_t row, bool expanded) {
    m_expansion[m_sources.keyOf(rows()[row])] = expanded;
    layOut();
}

void TimelineModel::setAllExpanded(bool expanded) {
    for (std::size_t node = 0; node < m_tree.nodes.size(); ++node) {
        const TimelineRow row = rowOf(m_tree, node, style());
        // That would read the memory of all ranks.
        if (row.memory && row.kind == TimelineRowKind::Process && expanded) continue;
        // Collapsing everything keeps captures and hosts open: one line for a whole run would show nothing.
        if (row.expandable && (expanded || row.kind >= TimelineRowKind::Rank))
            m_expansion[m_sources.keyOf(row)] = expanded;
    }
    layOut();
}

bool TimelineModel::expandTo(std::uint32_t source, RankIndex rank, TrackIndex track) {
    const auto target = m_tree.nodeOf(source, rank, track);
    if (!target) return false;
    bool changed = false;
    for (std::uint32_t i = 0; i <= *target; ++i) {
        if (i != *target && m_tree.nodes[i].after <= *target) continue;
        const TimelineRow row = rowOf(m_tree, i, style());
        if (!row.expandable || row.expanded) continue;
        m_expansion[m_sources.keyOf(row)] = true;
        changed = true;
    }
    if (changed) layOut();
    return changed;
}

std::optional<RowLayout::Place> TimelineModel::placeOf(std::uint32_t source, RankIndex rank, TrackIndex track) const {
    const auto node = m_tree.nodeOf(source, rank, track);
    return node ? std::optional(m_layout.places[*node]) : std::nullopt;
}

std::vector<RowKey> TimelineModel::siblingsOf(const TimelineRow& row) const {
    return altiscope::siblingsOf(m_tree, m_sources, row);
}

RowHeights TimelineModel::heightsFor(const TimelineRow& row, int height) const {
    return altiscope::heightsFor(row, height, style());
}

std::vector<MergedThreads::Group> TimelineModel::toMerge() const {
    return m_merged.missing(m_sources, m_choices.arrangement);
}

void TimelineModel::addMerged(std::vector<std::shared_ptr<const MergedTracks>> merged) {
    m_merged.add(std::move(merged));
    m_merged.eraseUnused(m_sources, m_choices.arrangement);
    rebuild();
}

std::vector<MemoryTraces::Samples> TimelineModel::toSample() const {
    std::vector<MemoryTraces::Samples> missing;
    for (const TrackNode& node : m_tree.nodes) {
        if (!node.memory || node.kind != TimelineRowKind::Process) continue;
        const TimelineSource& source = m_sources[node.source];
        MemoryTraces::Samples samples{source.capture, node.rank, source.store->ranks[node.rank.value].rows};
        if (!m_sources.memory().contains(samples) && needsMemory(source, node.rank, m_expansion, m_choices.arrangement))
            missing.push_back(std::move(samples));
    }
    return missing;
}

void TimelineModel::addMemory(const MemoryTraces::Made& memory) {
    m_sources.memory().add(memory);
    eraseUnusedMemory();
    rebuild();
}

/// Thousands of ranks have much of it.
void TimelineModel::eraseUnusedMemory() {
    m_sources.memory().eraseUnless([this](const MemoryTraces::Samples& samples) {
        const auto source = m_sources.sourceOf(samples.capture);
        return source && samples.rank.value < m_sources[*source].store->ranks.size() &&
               m_sources[*source].store->ranks[samples.rank.value].rows == samples.rows &&
               needsMemory(m_sources[*source], samples.rank, m_expansion, m_choices.arrangement);
    });
}

void TimelineModel::rebuild() {
    m_tree = buildTrackTree(m_sources, m_choices, m_merged.byThread(m_sources, m_choices.arrangement));
    open();
}

void TimelineModel::open() {
    m_opening = openingRows(m_tree, style(), m_room);
    layOut();
}

void TimelineModel::layOut() {
    m_layout = layOutRows(m_tree, style());
    m_layout.revision = ++m_revision;
}

}  // namespace altiscope
