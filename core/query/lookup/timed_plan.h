#pragma once

#include "core/base/values/time.h"
#include "core/query/lookup/index_request.h"
#include "core/query/lookup/run_parts.h"

#include <cstdint>
#include <functional>
#include <optional>

namespace altiscope {

/// How to go through a table whose rows lie in stretches by time (slices, instants, counter values). Travels through
/// SQLite as the mode number of IndexRequest::answer.
struct TimedPlan {
    enum class Path : std::uint8_t {
        Runs,    ///< Through the stretches, see RunWalk.
        Names,   ///< By name, see NameWalk.
        Id,      ///< The rows of given ids.
        Parent,  ///< The rows below given ones.
    };
    Path path = Path::Runs;
    RunBuckets buckets = RunBuckets::One;
    RunOrder order = RunOrder::AsListed;
    bool rankFirst = false;  ///< Names: ranks one after the other.
    bool oneOfEach = false;  ///< Names: one row of each name is enough.

    int encoded() const;
    static TimedPlan decoded(int mode);
};

/// Places of the columns that a plan may use; kNoColumn for one that the table does not have. The id is the rowid too.
struct TimedColumns {
    static constexpr int kNoColumn = -2;
    int id = kNoColumn;
    int track = kNoColumn;
    int rank = kNoColumn;
    int name = kNoColumn;
    int ts = kNoColumn;
    int depth = kNoColumn;  ///< Number of the stretch within its track.
    int parent = kNoColumn;
};

/// Size of the table, for estimates.
struct TimedStatistics {
    double rows = 0;
    double ranks = 0;
    double tracks = 0;
    double runs = 0;
    TimeRange range;
    bool byName = false;      ///< The table can go by name.
    double sourceBytes = 0;   ///< That a search in the source reads.
    bool namesReady = false;  ///< The lookup by name has been made already.
    std::function<double(std::int64_t track)> rowsOfTrack;
    std::function<double(const TextFilter& names)> rowsOfNames;
};

/// Chooses the cheapest way, the sorting that it saves or leaves to SQLite included, and answers the request.
void planTimed(IndexRequest& request, const TimedColumns& columns, const TimedStatistics& statistics);

}  // namespace altiscope
