#include "views/timeline/rows/memory_traces.h"

#include <algorithm>

namespace altiscope {

void MemoryTraces::add(const Made& made) {
    for (const auto& [samples, trace] : made) m_traces[{samples.capture, samples.rank}] = {samples.rows, trace};
}

bool MemoryTraces::contains(const Samples& samples) const {
    const auto known = m_traces.find({samples.capture, samples.rank});
    return known != m_traces.end() && known->second.rows == samples.rows;
}

const TraceStore* MemoryTraces::of(const Samples& samples) const {
    const auto known = m_traces.find({samples.capture, samples.rank});
    return known == m_traces.end() || known->second.rows != samples.rows ? nullptr : known->second.trace.get();
}

void MemoryTraces::eraseUnless(const std::function<bool(const Samples&)>& isNeeded) {
    std::erase_if(m_traces, [&](const auto& known) {
        return !isNeeded({known.first.first, known.first.second, known.second.rows});
    });
}

std::vector<std::shared_ptr<const TraceStore>> MemoryTraces::all() const {
    std::vector<std::shared_ptr<const TraceStore>> traces;
    for (const auto& [place, known] : m_traces) {
        if (known.trace != nullptr) traces.push_back(known.trace);
    }
    return traces;
}

bool needsMemory(const TimelineSource& source, RankIndex rank, const RowExpansion& expansion,
                 const TrackArrangement& arrangement) {
    const auto changed = expansion.find({source.capture, rank, TimelineRowKind::Process, kMemoryId});
    if (changed != expansion.end() && changed->second) return true;
    const TraceStore* trace = source.store->ranks[rank.value].trace.get();
    // A pinned counter that is none of the trace's is one of memory.
    return trace != nullptr &&
           std::any_of(arrangement.pinned.begin(), arrangement.pinned.end(), [&](const RowKey& key) {
               return key.capture == source.capture && key.rank == rank && key.kind == TimelineRowKind::Counter &&
                      !trace->findTrack({key.id});
           });
}

}  // namespace altiscope
