#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope::generate {

/// Counted by the writers while they write: what the text says, not what the model meant.
struct TrackSum {
    std::uint64_t slices = 0;
    std::int64_t durationNs = 0;
};

/// Slices, flows and counters of (a part of) one rank's timeline.
struct TraceTally {
    std::vector<TrackSum> tracks;  ///< By number of RankTracks.
    std::uint64_t flows = 0;       ///< Ends; each has a start.
    std::uint64_t counters = 0;    ///< Numeric arguments that are no ids.

    explicit TraceTally(std::size_t trackCount = 0) : tracks(trackCount) {}
    void slice(std::uint32_t track, std::int64_t durationNs) {
        ++tracks[track].slices;
        tracks[track].durationNs += durationNs;
    }
    void add(const TraceTally& other);
};

/// Sums of durations for a statistic file.
struct DurationSum {
    std::uint64_t count = 0;
    std::int64_t totalNs = 0;
    std::int64_t minNs = 0;
    std::int64_t maxNs = 0;
    double squares = 0;  ///< Sum of squares in us^2; order of adding matters in the last bits.

    void add(std::int64_t ns);
    void add(const DurationSum& other);
};

}  // namespace altiscope::generate
