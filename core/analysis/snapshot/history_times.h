#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// A moment that is known on both axes.
struct SnapshotMoment {
    static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
    EventNumber event = 0;
    TimeNs time;  ///< On the clock of the profile.
    /// Of the profile's table `allocation`: the same allocation; kNoRow: set by hand, or known by the entry's own time.
    std::uint32_t row = kNoRow;
    bool operator==(const SnapshotMoment&) const = default;
};

/// How well the times that a history has itself fit to those of a profile, by allocations that both recorded.
struct HistoryTimes {
    /// Two times of one allocation that differ by more are not of one clock: both are taken within one call.
    static constexpr DurationNs kTolerance{1'000'000};  // 1 ms

    std::uint64_t timed = 0;    ///< Allocations that have a time on both sides.
    std::uint64_t fitting = 0;  ///< Of these, those whose difference is `ahead` up to kTolerance.
    DurationNs ahead;           ///< Time in the profile less time in the history: the median.

    /// The two clocks run alike: 16 allocations at least, and nine of ten.
    bool fits() const { return timed >= 16 && fitting * 10 >= timed * 9; }
    /// They are one.
    bool isSameClock() const { return fits() && ahead.value <= kTolerance.value && ahead.value >= -kTolerance.value; }
};

/// @param differences  Time in the profile less time in the history, of each allocation. O(differences).
HistoryTimes historyTimes(std::vector<DurationNs> differences);

/// Moments of own times that a clock has at most.
inline constexpr std::size_t kMaxOwnTimes = std::size_t{1} << 20;

/// Adds moments of entries that are not among those that are known, by their own times and `ahead`: of each entry, in
/// histories of more than kMaxOwnTimes of every so many. They stay between the known ones, and within a day of these;
/// entries whose time contradicts that or the order by more than HistoryTimes::kTolerance get none.
/// @param moments  By event, times not descending; so they are afterwards. Without any nothing is added.
/// @note  O(entries).
void addOwnTimes(const DeviceSnapshot& snapshot, DurationNs ahead, std::vector<SnapshotMoment>& moments,
                 const CancelToken& cancel);

}  // namespace altiscope
