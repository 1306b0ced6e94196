#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/analysis/snapshot/history_times.h"
#include "core/base/values/cancel.h"
#include "core/base/values/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// When the entries of a history were, on the clock of a profile. Between two known moments an entry is placed by its
/// number, which is exact at these and an estimate within; outside of them nothing is known.
struct SnapshotClock {
    std::vector<SnapshotMoment> moments;  ///< By event; times never descend.

    bool empty() const { return moments.empty(); }
    /// O(log moments), as all of these.
    std::optional<TimeNs> timeOf(EventNumber event) const;
    /// The last entry that was there by then.
    std::optional<EventNumber> eventAt(TimeNs time) const;
    /// The known moment of this very entry; null: it is between, or outside.
    const SnapshotMoment* momentOf(EventNumber event) const;
};

/// How well the two recordings agree: what a clock is believed by.
struct SnapshotAgreement {
    enum class Verdict : std::uint8_t {
        Agrees,
        NoAllocations,  ///< The history has none, or the profile has no rows with a time and a size.
        NoAgreement,    ///< Their sizes are other ones.
        Ambiguous       ///< They agree at several places, as in steps that are all the same.
    };
    Verdict verdict = Verdict::NoAllocations;
    std::uint64_t inHistory = 0, inProfile = 0;  ///< Allocations.
    std::uint64_t shared = 0;                    ///< Of the same size, in the same order.
    /// Between the first and the last shared one: those of either side that the other lacks.
    std::uint64_t unshared = 0;
    std::uint64_t outside = 0;  ///< Of the shared ones, those outside of the time that the profile has slices of.

    std::uint64_t ranges = 0;  ///< Joined by so many named ranges instead, see joinByRanges(); `times` are of these.
    HistoryTimes times;        ///< What the entries' own times say of the shared ones.
    bool isTieBroken = false;  ///< Sizes agree at several places, the times at this one alone.
};

/// The clock of a history, and what speaks for it.
struct JoinedClock {
    SnapshotClock clock;  ///< Empty unless they agree.
    SnapshotAgreement agreement;
};

/// Finds the allocations that a history and the memory rows of a profile of the same rank both recorded: their sizes,
/// rounded as the allocator does, in the same order. At least 16 of them must agree, those between the first and the
/// last that one side lacks be a quarter of that at most, and clearly fewer agree at any other place of the one in the
/// other. Where they agree at several places the entries' own times decide, if at one of them alone the two recordings
/// have the same clock. Once joined, times that fit place the entries between and outside of the shared ones, see
/// addOwnTimes(). Rows without a stream are not of the framework's allocator, and left out where others have one.
/// @param profile  Rows of the rank; `allocation` of them is read, of the snapshot's device where rows name it. May be
///                 null.
/// @param span     What the profile has slices of; nullopt: it has none.
/// @note  A worker. O(entries + rows log rows + places * reach); cancelled: nothing.
JoinedClock joinByAllocations(const DeviceSnapshot& snapshot, const RowTables* profile, std::optional<TimeRange> span,
                              const CancelToken& cancel);

/// A clock by moments that the user has set, in any order; of several of one event the last one counts. Empty if
/// events and times are not in the same order.
SnapshotClock clockByHand(std::vector<SnapshotMoment> moments);

}  // namespace altiscope
