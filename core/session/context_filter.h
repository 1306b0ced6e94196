#pragma once

#include "core/base/time.h"
#include "core/trace/rank.h"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// What all pages are to show of the open captures. An empty list means all.
struct ContextFilter {
    std::vector<std::int64_t> ranks;    ///< Numbers in the job, ascending.
    std::vector<std::int64_t> devices;  ///< Numbers of NPUs on their hosts.
    std::vector<std::int64_t> steps;
    std::optional<TimeRange> range;     ///< On the trace's clock; a step belongs to it if it overlaps it.

    bool operator==(const ContextFilter&) const = default;
    bool empty() const { return ranks.empty() && devices.empty() && steps.empty() && !range; }

    bool holds(const RankInfo& rank) const { return holds(ranks, rank.rankId) && holds(devices, rank.deviceId); }
    bool holdsStep(std::optional<std::int64_t> step) const { return holds(steps, step); }

private:
    /// What has no number is in no list.
    static bool holds(const std::vector<std::int64_t>& list, std::optional<std::int64_t> number) {
        return list.empty() || (number && std::binary_search(list.begin(), list.end(), *number));
    }
};

}  // namespace altiscope
