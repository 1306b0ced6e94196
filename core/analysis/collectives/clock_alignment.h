#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Where the clock of a rank lies against that of the reference rank.
struct RankClock {
    enum class State : std::uint8_t {
        Reference,  ///< Its clock is the axis.
        Aligned,
        NoCollectives,  ///< Nothing of it could be compared.
        NoCommonGroup,  ///< It has collectives, but none that were found again on a rank that is aligned.
    };
    State state = State::NoCollectives;
    TimeNs middle;              ///< Of its trace, on its own clock.
    std::int64_t offset = 0;    ///< ns: aligned time - own time at the middle.
    std::int64_t driftPpb = 0;  ///< ns per 10^9 ns of own time by which that difference grows.
    /// ns: 95 of 100 paired collectives end within this on both ranks, by offset and drift.
    std::int64_t residual = 0;
    std::int64_t offsetResidual = 0;  ///< ns: by the offset alone, at the ends of the trace.
    std::uint64_t pairs = 0;          ///< Collectives that were paired, with the rank that leads to the reference.

    bool isAligned() const { return state == State::Reference || state == State::Aligned; }
    /// The time on the reference's clock. Exact to a ns.
    TimeNs aligned(TimeNs own) const;
};

/// The clocks of a capture's ranks.
struct ClockAlignment {
    std::vector<RankClock> ranks;  ///< As in CaptureStore::ranks
};

/// Lays the clocks of ranks one upon the other: a collective ends together on all its ranks, whoever came late, so that
/// neither a slow rank nor different warm-ups matter. Collectives are paired by group, kind, size and order: which
/// order is the one at which the distances of neighbouring ends agree, and the ends themselves on a line; never by the
/// numbers in their names. A send and its receive end together too, but who belongs to whom is known only in groups of
/// two, so they count there alone. Ranks that share no group are joined over others that do; the reference is the first
/// rank of the largest such part, and what lies in another part stays unaligned.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(collectives * log + orders tried * 100) for each
/// two ranks.
std::optional<ClockAlignment> alignClocks(const CaptureStore& capture, const CancelToken& cancel);

}  // namespace altiscope
