#pragma once

#include "core/analysis/slices/track_window.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope {

/// One depth of a track.
struct KeyLane {
    TrackIndex track;
    std::uint32_t depth = 0;
    bool operator==(const KeyLane&) const = default;
};

/// The first depth of a track that is about as full as its fullest one: those above it are few and long, as steps are.
/// O(depths).
std::uint32_t mainDepth(const TraceStore& trace, TrackIndex track);

/// How much a track tells, compared within its role. Read once for each trace, since it looks at all of its names.
struct TrackWeight {
    enum class Role : std::uint8_t { Compute, Communication, Host, Rest, None };
    Role role = Role::None;  ///< None: no lane.
    std::uint32_t depth = 0;
    std::uint64_t weight = 0;
};
/// By track. Pure; any thread; O(tracks + names on them).
std::vector<TrackWeight> trackWeights(const TraceStore& trace);

/// The lanes that tell at a glance what a group of tracks did, at most `limit`, in display order: the stream with most
/// time in kernels, the group with most in collectives, the thread with most operators (at its main depth); then the
/// next of each, if it has a part of theirs worth a lane. Without any of them the tracks with most slices.
/// Pure; any thread; O(tracks).
std::vector<KeyLane> keyLanes(const std::vector<TrackWeight>& weights, const std::vector<TrackIndex>& tracks,
                              std::size_t limit);
/// The same of a trace that is looked at once; O(tracks + names on them).
std::vector<KeyLane> keyLanes(const TraceStore& trace, const std::vector<TrackIndex>& tracks, std::size_t limit);

}  // namespace altiscope
