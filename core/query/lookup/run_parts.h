#pragma once

#include "core/query/functions/integer_set.h"
#include "core/query/lookup/capture_index.h"
#include "core/query/lookup/run_walk.h"

#include <functional>
#include <vector>

namespace altiscope {

/// Which rows are neighbours in the wanted order.
enum class RunBuckets : std::uint8_t {
    One,      ///< All rows together.
    ByRank,   ///< By rank id, unknown first.
    ByTrack,  ///< By track id.
    ByRankAndTrack,
};

/// Wanted rows.
struct RunSelection {
    IntegerSet ranks;   ///< Rank ids; a rank without an id is in no condition on it.
    IntegerSet tracks;  ///< Track ids.
    IntegerSet times;
};

/// Appends the stretches of one track, `times`, `first`, `last` and `run` set.
using RunsOfTrack = std::function<void(const TraceStore&, TrackIndex, std::vector<RunPart>&)>;

/// The stretches of a capture's tracks, cut to a selection, in the order of buckets. Without buckets: by rank and
/// display order of tracks.
/// @note Any thread; O(tracks that can match + their runs * log of their rows).
std::vector<RunPart> collectParts(const CaptureIndex& index, RunSelection selection, RunBuckets buckets,
                                  const RunsOfTrack& runsOfTrack);

/// True if a rank satisfies a condition on rank_id.
inline bool rankMatches(const IntegerSet& ranks, const std::optional<std::int64_t>& id) {
    return ranks.all() || (id && ranks.contains(*id));
}

}  // namespace altiscope
