// The part of the model about rows of memory, whose tracks are made when they are needed.

#include "views/timeline/rows/timeline_model.h"

#include "core/analysis/memory/memory_tracks.h"
#include "views/timeline/rows/row_titles.h"

#include <algorithm>
#include <set>

namespace altiscope {

const TraceStore* TimelineModel::memoryOf(std::uint32_t source, std::uint32_t rank) const {
    const auto known = m_memory.find({m_sources[source].capture, rank});
    return known == m_memory.end() || known->second.rows != m_sources[source].store->ranks[rank].rows
               ? nullptr
               : known->second.trace.get();
}

bool TimelineModel::needsMemory(std::uint32_t source, std::uint32_t rank) const {
    const std::uint32_t capture = m_sources[source].capture;
    const auto told = m_expanded.find({capture, rank, TimelineRowKind::Process, kMemoryId});
    if (told != m_expanded.end() && told->second) return true;
    const TraceStore* trace = m_sources[source].store->ranks[rank].trace.get();
    // A pinned counter that is none of the trace's is one of memory.
    return trace != nullptr &&
           std::any_of(m_arrangement.pinned.begin(), m_arrangement.pinned.end(), [&](const RowKey& key) {
               return key.capture == capture && key.rank == rank && key.kind == TimelineRowKind::Counter &&
                      !trace->findTrack({key.id});
           });
}

std::vector<TimelineModel::ToSample> TimelineModel::toSample() const {
    std::vector<ToSample> missing;
    std::set<std::pair<std::uint32_t, std::uint32_t>> requested;
    for (const Node& node : m_nodes) {
        if (!node.memory || node.kind != TimelineRowKind::Process) continue;
        const std::uint32_t capture = m_sources[node.source].capture;
        const auto& rows = m_sources[node.source].store->ranks[node.rank].rows;
        const auto known = m_memory.find({capture, node.rank});
        const bool isKnown = known != m_memory.end() && known->second.rows == rows;
        if (!isKnown && needsMemory(node.source, node.rank) && requested.insert({capture, node.rank}).second)
            missing.push_back({capture, node.rank, rows});
    }
    return missing;
}

void TimelineModel::addMemory(const std::vector<std::pair<ToSample, std::shared_ptr<const TraceStore>>>& memory) {
    for (const auto& [requested, trace] : memory)
        m_memory[{requested.capture, requested.rank}] = {requested.rows, trace};
    dropUnusedMemory();
    buildNodes();
    layOut();
}

std::vector<std::shared_ptr<const TraceStore>> TimelineModel::memoryTraces() const {
    std::vector<std::shared_ptr<const TraceStore>> traces;
    for (const auto& [place, memory] : m_memory) {
        if (memory.trace != nullptr) traces.push_back(memory.trace);
    }
    return traces;
}

/// Thousands of ranks have much of it.
void TimelineModel::dropUnusedMemory() {
    std::erase_if(m_memory, [this](const auto& known) {
        const auto source = sourceOf(known.first.first);
        return !source || known.first.second >= m_sources[*source].store->ranks.size() ||
               m_sources[*source].store->ranks[known.first.second].rows != known.second.rows ||
               !needsMemory(*source, known.first.second);
    });
}

/// While its curves are not read; they are filtered one by one then.
bool TimelineModel::isMemoryFilteredOut(const Node& process) const {
    return m_filter.hiddenKinds.contains(TrackKind::Counter) || m_filter.hidden.contains(keyOf(process)) ||
           (!m_filter.text.isEmpty() &&
            !rowTitleOf(*this, keyOf(process)).contains(m_filter.text, Qt::CaseInsensitive));
}

/// Ids of memory are the same everywhere.
std::vector<RowKey> TimelineModel::memoryOnAllRanks(const TimelineRow& row) const {
    std::vector<RowKey> same;
    for (const TimelineSource& source : m_sources) {
        for (std::uint32_t rank = 0; rank < source.store->ranks.size(); ++rank) {
            if (hasMemorySamples(source.store->ranks[rank].rows.get()))
                same.push_back({source.capture, rank, row.kind, keyOf(row).id});
        }
    }
    return same;
}

}  // namespace altiscope
