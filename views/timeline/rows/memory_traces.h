#pragma once

#include "views/timeline/rows/timeline_row.h"
#include "views/timeline/rows/track_arrangement.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <utility>
#include <vector>

namespace altiscope {

/// Curves of ranks' memory as traces (see memory_tracks.h), which are made when rows need them. GUI thread.
class MemoryTraces {
public:
    /// Sources that they are made from.
    struct Samples {
        CaptureId capture;
        RankIndex rank{};
        std::shared_ptr<const RowTables> rows;
        bool operator==(const Samples&) const = default;
    };
    using Made = std::vector<std::pair<Samples, std::shared_ptr<const TraceStore>>>;

    /// Null traces: there is nothing to show.
    void add(const Made& made);
    bool contains(const Samples& samples) const;
    /// Null unless there are curves.
    const TraceStore* of(const Samples& samples) const;
    void eraseUnless(const std::function<bool(const Samples&)>& isNeeded);
    std::vector<std::shared_ptr<const TraceStore>> all() const;

private:
    struct Trace {
        std::shared_ptr<const RowTables> rows;
        std::shared_ptr<const TraceStore> trace;
    };
    std::map<std::pair<CaptureId, RankIndex>, Trace> m_traces;  // by capture and rank
};

/// Whether a row of the rank's memory is expanded, or has pinned curves.
bool needsMemory(const TimelineSource& source, RankIndex rank, const RowExpansion& expansion,
                 const TrackArrangement& arrangement);

}  // namespace altiscope
