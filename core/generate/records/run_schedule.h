#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/generate/model/run_plan.h"
#include "core/generate/model/unit_program.h"

#include <cstdint>
#include <functional>
#include <vector>

namespace altiscope::generate {

class DeviceWalk;
class HostWalk;

/// A collective as all members of its group see it, in the job's time.
struct CollectiveTiming {
    TimeNs ready;                  ///< The last member arrived; data starts to move.
    std::uint32_t transferNs = 0;  ///< From then to the common end.
    std::uint32_t lastMember = 0;  ///< Local rank that arrived last.
};

/// Where in a run a collective happens.
struct CollectivePlace {
    std::uint32_t group = 0;
    std::uint64_t unit = 0;
    std::uint32_t ordinal = 0;  ///< Among the group's collectives of the unit.
};

/// What a collective moves. Send and Receive are the same here.
struct CollectivePayload {
    CollectiveOperation operation = CollectiveOperation::AllReduce;
    std::uint64_t bytes = 0;  ///< Of the whole operation, as one member sees it.
};

/// How long moving the data of one collective takes, and why.
struct TransferTimes {
    std::int64_t normalNs = 0;     ///< Without any fault.
    std::int64_t packetsNs = 0;    ///< More, because the packets are small.
    std::uint32_t slowFactor = 1;  ///< Of the slowest link of the group.

    std::int64_t total() const { return (normalNs + packetsNs) * slowFactor; }
};

/// When each unit of each rank begins, by its own clock, and when collectives begin to move data: all that ranks must
/// know of each other, and all that must be known of earlier units to make a later one. 24 bytes a unit and rank, 16 a
/// collective and group.
class RunSchedule {
public:
    struct UnitTiming {
        TimeNs hostStart;
        TimeNs stepStart;  ///< Of the unit's ProfilerStep.
        TimeNs lastBusy;   ///< The last kernel or collective ended.
    };

    const UnitTiming& unit(std::uint32_t rank, std::uint64_t unit) const { return m_units[unit * m_ranks + rank]; }
    /// @param ordinal  Number of the collective of this group within the unit.
    const CollectiveTiming& collective(std::uint32_t group, std::uint64_t unit, std::uint32_t ordinal) const {
        return m_collectives[group][m_firstOfUnit[group][unit] + ordinal];
    }
    /// The host of this rank has done everything.
    TimeNs end(std::uint32_t rank) const { return m_ends[rank]; }

    /// Gets what a rank did in a unit, on any thread; a rank's units come in order, each when the schedule knows it.
    using Observer =
        std::function<void(std::uint32_t rank, std::uint64_t unit, HostWalk& host, const DeviceWalk& device)>;

    /// Plays the whole run without recording it. On the workers of the current arena. O(ranks * steps * layers).
    /// @param observe  May be empty.
    /// @return Cancelled; then the schedule is of no use.
    Result<Done> play(const RunPlan& plan, const RunProgram& program, const Observer& observe,
                      const CancelToken& cancel);

private:
    friend class SchedulePlayer;

    std::uint32_t m_ranks = 0;
    std::vector<UnitTiming> m_units;
    std::vector<std::vector<CollectiveTiming>> m_collectives;  ///< By group.
    std::vector<std::vector<std::uint32_t>> m_firstOfUnit;     ///< By group and unit.
    std::vector<TimeNs> m_ends;
};

/// Pure function; the same for all members.
TransferTimes transferTimes(const RunPlan& plan, const CollectivePlace& place, const CollectivePayload& payload);

/// Bytes that go over one link in one phase of the operation.
std::uint64_t linkBytes(const PlannedGroup& group, const CollectivePayload& payload);

/// Packets that a transfer of so many bytes over one link is cut into.
std::uint32_t packetsOf(const RunPlan& plan, std::uint64_t bytes);

/// Time that moving the data of a collective takes once all members are there, over links that work at once: a
/// reduction has two phases, an exchange and a transfer from one rank to another have one.
DurationNs transferTime(const PlannedGroup& group, const CollectivePayload& payload);

/// Time of a copy inside a device.
DurationNs localCopyTime(std::uint64_t bytes);

}  // namespace altiscope::generate
