#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Evidence of a finding on the timeline. Ranks are indexes into CaptureStore::ranks; times on the rank's own
/// clock, as recorded.
struct TimelineEvidence {
    CaptureId capture;
    RankIndex rank{};
    TimeRange window;               ///< Visible time.
    std::optional<TimeRange> mark;  ///< To be the marked range; nullopt: none is to be marked.
    std::vector<TimeRange> gaps;    ///< Known gaps, to be marked.
    bool isOfIdleDevice = false;    ///< The device's gaps within the window are to be looked for and marked.
    std::vector<RankIndex> peers;   ///< Its busiest stream is to stand beside the same one of these.
    /// The slice that it is about; of a collective the tracks of its group on all ranks are to stand beside each other.
    std::optional<SliceId> slice{};
    /// Without one: it is about waits in collectives, and the longest one within the window is to be looked for.
    bool isOfWaits = false;
    /// A slice of the host meanwhile, whose track is to stand beside the device's; 0: not known.
    SliceId host{};
    /// How the names of counters begin that are to stand beside the busiest stream; empty: none.
    std::string counter = {};
};

/// Gaps that are marked in the rows of a rank.
struct MarkedGaps {
    CaptureId capture;
    RankIndex rank{};
    bool isOfDevice = false;      ///< In the rows of the device alone; else in all of the rank.
    std::vector<TimeRange> gaps;  ///< By begin, on the rank's own clock.
};

}  // namespace altiscope
