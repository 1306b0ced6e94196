#pragma once

#include "views/timeline/rows/memory_traces.h"
#include "views/timeline/rows/timeline_row.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// The captures that the timeline shows, and by them what its rows are of. GUI thread.
class TimelineSources {
public:
    void set(std::vector<TimelineSource> sources) { m_sources = std::move(sources); }
    MemoryTraces& memory() { return m_memory; }
    const MemoryTraces& memory() const { return m_memory; }

    std::size_t size() const { return m_sources.size(); }
    bool empty() const { return m_sources.empty(); }
    const TimelineSource& operator[](std::size_t source) const { return m_sources[source]; }
    auto begin() const { return m_sources.begin(); }
    auto end() const { return m_sources.end(); }

    /// nullopt if that capture is not shown.
    std::optional<std::uint32_t> sourceOf(CaptureId capture) const;
    /// The source with the open capture that a time over these rows is of: itself, but for rows that stand beside a
    /// capture without being one.
    std::uint32_t ownerOf(std::uint32_t source) const;
    /// Axis time = the rank's own time + this.
    DurationNs shiftOf(std::uint32_t source, RankIndex rank) const;
    /// The same of a track, and of all that a row shows but for movedIn().
    DurationNs shiftOf(std::uint32_t source, RankIndex rank, TrackIndex track) const;
    DurationNs shiftOf(const TrackNode& node) const;
    /// Tracks in a row that are drawn elsewhere than shiftOf() it; null: none.
    std::shared_ptr<const MovedTracks> movedIn(const TrackNode& node) const;
    /// The model that a stream runs, or TrackNode::kNoModel.
    std::int64_t modelOf(std::uint32_t source, RankIndex rank, TrackIndex track) const;
    /// Curves of a rank's memory; null while they are not there.
    const TraceStore* memoryOf(std::uint32_t source, RankIndex rank) const;

    /// Null above ranks.
    const RankEntry* rankOf(const TrackNode& node) const;
    /// Null where a rank has no events (yet), and above ranks.
    const TraceStore* traceOf(const TrackNode& node) const;
    RowKey keyOf(const TrackNode& node) const;
    /// The row above in the tree, whose children `node` is one of: what TrackArrangement::order is by.
    RowKey parentKeyOf(const TrackNode& node) const;
    /// As withPinned() and its like want them: keys of a merged row or of a model are those of its threads, the first
    /// one's first.
    std::vector<RowKey> keysOf(const TrackNode& node) const;
    /// The rows of the same process and thread, or counter, as a row below ranks, on all ranks. O(tracks).
    std::vector<RowKey> sameOnAllRanks(const TrackNode& node) const;

private:
    std::vector<TimelineSource> m_sources;
    MemoryTraces m_memory;
};

}  // namespace altiscope
