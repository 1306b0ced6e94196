#pragma once

#include "views/timeline/rows/merged_tracks.h"
#include "views/timeline/rows/timeline_sources.h"
#include "views/timeline/rows/track_arrangement.h"

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// The groups of threads that an arrangement merges, which are made when they are needed: until then their threads are
/// shown one by one. GUI thread.
class MergedThreads {
public:
    /// Threads that a group is made from.
    struct Group {
        std::shared_ptr<const TraceStore> trace;
        std::vector<TrackIndex> tracks;
    };
    using ByThread = std::unordered_map<RowKey, std::shared_ptr<const MergedTracks>, RowKeyHash>;

    std::vector<Group> missing(const TimelineSources& sources, const TrackArrangement& arrangement) const;
    void add(std::vector<std::shared_ptr<const MergedTracks>> merged);
    /// Others keep their traces in memory.
    void eraseUnused(const TimelineSources& sources, const TrackArrangement& arrangement);
    /// Those that are there, by each of their threads.
    ByThread byThread(const TimelineSources& sources, const TrackArrangement& arrangement) const;

private:
    std::shared_ptr<const MergedTracks> find(const Group& group) const;

    std::vector<std::shared_ptr<const MergedTracks>> m_merged;
};

}  // namespace altiscope
