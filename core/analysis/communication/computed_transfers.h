#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What a rank's collectives moved, computed from the tasks on their planes. Constant.
struct ComputedTransfers {
    /// Of the kinds Link, Bandwidth and Packet; null: the events have no tasks that moved data and state how much.
    std::shared_ptr<const RowTables> rows;
    std::uint64_t tasks = 0;    ///< That moved data.
    std::uint64_t unknown = 0;  ///< Of these, whose arguments do not state how much and where to: they are in no row.
    std::uint64_t remote = 0;   ///< Of these, by RDMA: sizes count, times are not known.
    std::map<RowKind, std::vector<TimeRange>> times;  ///< Of the collective of each row, on the rank's clock.

    /// The rows of collectives that overlap a range, see overlaps(); null without rows. O(rows).
    std::shared_ptr<const RowTables> within(TimeRange range) const;
};

/// Rows by the rules of the profiler's own files (core/import/communication/FORMAT.md sections 2 and 3):
/// - Link: for each collective, source, target and transport the sums of bytes and durations; the selection is
///   "single".
/// - Bandwidth: for each collective and transport but LOCAL the same sums over all planes; SDMA repeats all but RDMA.
/// - Packet: for each collective, transport but LOCAL, SDMA and RDMA, and number of bytes of a task the count and the
///   sum of durations. How long RDMA took cannot be seen from the tasks that start it: there is no time in these rows,
///   and no packets.
/// @param activity  What readDeviceActivity gives of the rank, for the steps.
/// @param groups    Of the capture, for names and ranks of groups.
/// @return nullopt if cancelled. Any thread; parallel on the arena. O(tasks * log); their arguments are read back from
/// the source.
std::optional<ComputedTransfers> computeTransfers(const RankEntry& rank, const std::optional<DeviceActivity>& activity,
                                                  const CaptureGroups& groups, const CancelToken& cancel);

}  // namespace altiscope
