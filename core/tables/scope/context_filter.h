#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"
#include "core/trace/rank.h"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// The part of the open captures that all pages are to show. An empty list means all.
struct ContextFilter {
    std::vector<std::int64_t> ranks;    ///< Numbers in the job, ascending.
    std::vector<std::int64_t> devices;  ///< Numbers of NPUs on their hosts.
    std::vector<std::int64_t> steps;
    /// On the clock of the capture in which the user marked it, as its ranks are drawn; others have clocks of their
    /// own.
    std::optional<TimeRange> range;
    CaptureId rangeCapture{};  ///< Capture that has given the range.
    /// How much later than recorded that one's ranks are drawn, see Selection::shiftsOf(); null: as recorded.
    std::shared_ptr<const std::vector<DurationNs>> rangeShifts{};

    bool operator==(const ContextFilter&) const = default;
    bool empty() const { return ranks.empty() && devices.empty() && steps.empty() && !range; }

    /// The rest of it for a capture: without a range that another one has given.
    ContextFilter forCapture(CaptureId capture) const;
    /// The same with its range on the recorded clock of a rank, by its index in CaptureStore::ranks: what times of that
    /// rank are to be compared with.
    ContextFilter onClockOf(RankIndex rank) const;
    /// How much later than recorded that rank is drawn on the range's clock.
    DurationNs shiftOf(RankIndex rank) const {
        return rangeShifts != nullptr && rank.value < rangeShifts->size() ? (*rangeShifts)[rank.value] : DurationNs{};
    }

    bool holds(const RankInfo& rank) const { return holds(ranks, rank.rankId) && holds(devices, rank.deviceId); }
    bool holdsStep(std::optional<std::int64_t> step) const { return holds(steps, step); }
    /// Whether something that happened then, on the range's clock, overlaps the range; what has no time overlaps none.
    bool holdsTime(std::optional<TimeRange> time) const { return !range || (time && overlaps(*time, *range)); }
    /// On that rank's clock: whether statements about a step of it are to be shown; nullopt: of its whole recording. A
    /// step has its time on the host. O(steps of the rank) if there is a range.
    bool holds(const RankEntry& rank, std::optional<std::int64_t> step) const;

private:
    /// A rank or device without a number is in no list.
    static bool holds(const std::vector<std::int64_t>& list, std::optional<std::int64_t> number) {
        return list.empty() || (number && std::binary_search(list.begin(), list.end(), *number));
    }
};

/// The times in which something of a rank lies that the context holds: of the rank's own steps, within the range; by
/// begin, disjoint. nullopt: all times, as neither steps nor a range are chosen, or no time of the chosen steps, or of
/// any step of the rank, is known. Empty: none, as the rank has other steps, or none of these within the range.
/// O(steps of the rank * log).
/// @param context  On the rank's clock (see ContextFilter::onClockOf), as what comes of it.
std::optional<std::vector<TimeRange>> timesOf(const ContextFilter& context, const RankEntry& rank);

}  // namespace altiscope
