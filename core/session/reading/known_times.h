#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// When a rank runs and what its steps are, as far as anybody has seen: what is known of its time when a part of it is
/// to be read.
struct KnownTimes {
    std::optional<TimeRange> range;  ///< On the trace's own clock.
    std::vector<Step> steps;         ///< With their times, by number.
};

/// Times of the ranks of one capture, by RankInfo::path. Those that one reading has shown stay known when the next one
/// reads less.
class RankTimes {
public:
    /// Adds what the ranks of a state of the capture show. O(ranks + steps).
    void add(const CaptureStore& capture);

    /// Times of a rank; where nothing of it was read, those of all others together: the ranks of a job run at the same
    /// time.
    KnownTimes of(const std::string& rank) const;
    /// True if of() speaks of the rank itself.
    bool knows(const std::string& rank) const { return m_ranks.contains(rank); }
    /// Begin of the earliest rank: what times are shown against. nullopt if nothing is known.
    std::optional<TimeNs> origin() const;

private:
    std::map<std::string, KnownTimes> m_ranks;
};

}  // namespace altiscope
