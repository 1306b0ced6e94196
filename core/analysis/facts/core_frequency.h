#pragma once

#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope {

/// How fast the cores of a device ran, as a step function of time.
struct CoreFrequency {
    std::vector<std::pair<TimeNs, double>> samples;  ///< MHz, by time; empty if not recorded.
    double highest = 0, lowest = 0;

    /// Anything else is no frequency.
    bool isPlausible() const { return lowest >= 1 && highest < 1e6; }
    /// MHz at a time, before the first sample that one's; 0 if not recorded.
    double at(TimeNs time) const;
    /// Share of a kernel's time that it would have saved at `best` MHz: 0 to 1.
    double lossAt(TimeNs time, double best) const;
};

/// @param device  Of this one, where the trace holds several. O(samples).
CoreFrequency coreFrequency(const TraceStore& trace, std::optional<std::int64_t> device);

}  // namespace altiscope
