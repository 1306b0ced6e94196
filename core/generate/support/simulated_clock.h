#pragma once

#include "core/base/values/time.h"

#include <cstdint>

namespace altiscope::generate {

/// How the clock of a rank goes against that of the job. All that a rank records is in its own time; ranks meet in the
/// job's time.
struct SimulatedClock {
    TimeNs origin;              ///< Job time at which the clock is off by `offset` exactly.
    DurationNs offset;          ///< The rank's clock is ahead by this.
    std::int64_t driftPpb = 0;  ///< And gains this much per 10^9 ns.

    TimeNs local(TimeNs job) const { return job + offset + gain((job - origin).value); }
    /// The job's time to the nearest ns or two; pure function of both numbers.
    TimeNs job(TimeNs local) const {
        const std::int64_t passed = (local - origin).value - offset.value;
        // Each round makes the error at least a thousand times smaller.
        std::int64_t job = passed;
        for (int round = 0; round < 5; ++round) job = passed - gain(job).value;
        return origin + DurationNs{job};
    }

private:
    DurationNs gain(std::int64_t passed) const {
        constexpr std::int64_t kBillion = 1'000'000'000;
        return {passed / kBillion * driftPpb + passed % kBillion * driftPpb / kBillion};
    }
};

}  // namespace altiscope::generate
