#pragma once

#include "core/analysis/snapshot/device_snapshot.h"
#include "core/base/cancel.h"
#include "core/base/time.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// A moment that is known on both axes.
struct SnapshotMoment {
    static constexpr std::uint32_t kNoRow = 0xFFFFFFFF;
    EventNumber event = 0;
    TimeNs time;                 ///< On the clock of the profile.
    std::uint32_t row = kNoRow;  ///< Of the profile's table `allocation`: the same allocation; kNoRow: set by hand.
    bool operator==(const SnapshotMoment&) const = default;
};

/// When the entries of a history were, on the clock of a profile. The history itself has no times: between two known
/// moments an entry is placed by its number, which is exact at these and an estimate within; outside of them nothing
/// is known.
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
};

struct JoinedClock {
    SnapshotClock clock;  ///< Empty unless they agree.
    SnapshotAgreement agreement;
};

/// Finds the allocations that a history and the memory rows of a profile of the same rank both recorded: their sizes,
/// rounded as the allocator does, in the same order. At least 16 of them must agree, those between the first and the
/// last that one side lacks be a quarter of that at most, and clearly fewer agree at any other place of the one in the
/// other. Rows without a stream are not of the framework's allocator, and left out where others have one.
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
