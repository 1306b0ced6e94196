#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// A collective of one rank, in ns: a row of the SQL table `collective`.
struct CollectiveTime {
    std::optional<std::int64_t> step;
    std::string groupName;  ///< Empty if the events do not state it.
    std::string opName;     ///< Without "@group".
    bool isPeerToPeer = false;
    SliceIndex slice;
    TimeNs begin;
    std::int64_t elapsed = 0;
    /// Moving data; nullopt where RDMA was used, whose bursts the names of tasks do not state.
    std::optional<std::int64_t> transit;
    std::int64_t wait = 0;             ///< Notify_Wait.
    std::int64_t synchronization = 0;  ///< The part of it before the first transit.
    std::optional<std::int64_t> idle;  ///< elapsed - transit - wait
};

/// The collectives on the group tracks of communication that have tasks, by track and begin. Their tasks stand on the
/// planes that follow a group's track. Elapsed is the collective's own slice; the others are sums over the main plane,
/// which is the lowest on which the collective waits for a notification: transit over Memcpy and Reduce_Inline, wait
/// over Notify_Wait. Source: core/import/communication/FORMAT.md section 2; the choice of the plane gives the vendor's
/// values of all captures that there are. A task belongs to the collective of its group that is running when it begins:
/// of several the last to begin.
/// @param groups  For the names of groups that tracks only number.
/// @return Empty if cancelled. O(tasks * log).
std::vector<CollectiveTime> collectiveTimes(const RankEntry& rank, const CaptureGroups& groups,
                                            const DeviceActivity& activity, const CancelToken& cancel);

}  // namespace altiscope
