#pragma once

#include "core/generate/records/host_walk.h"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace altiscope::generate {

/// A task as the device ran it.
struct DeviceTask {
    TimeNs start;
    DeviceTime duration;
    /// The stream is free again.
    TimeNs end() const { return start + DurationNs{duration.ceilNs()}; }
    /// As start and duration read in the written files.
    TimeRange printedRange() const { return {start, start + DurationNs{duration.roundedNs()}}; }
};

/// Runs the tasks of one unit of a rank on its streams: in launch order, each stream in order, events between streams.
/// Stops at every collective until somebody says when it ends.
class DeviceWalk {
public:
    struct Arrival {
        std::uint32_t groupSlot = 0;
        std::uint32_t ordinal = 0;  ///< Number of the collective on its slot within the unit.
        TimeNs time;                ///< This rank is ready for it.
        std::uint64_t bytes = 0;
        CollectiveOperation operation = CollectiveOperation::AllReduce;
    };

    /// @param work  Must outlive the walk.
    /// @param events  How many device events the program numbers.
    DeviceWalk(std::span<const DeviceWork> work, std::uint32_t events);

    /// Runs tasks up to the next collective. @return False when none is left.
    bool advance();
    /// The collective that advance() stopped at.
    const Arrival& arrival() const { return m_arrival; }
    void endCollective(TimeNs end);

    /// One per work item, in the same order; valid after advance() returned false.
    const std::vector<DeviceTask>& tasks() const { return m_tasks; }
    /// When the last stream is free.
    TimeNs idle() const;
    /// End of the last kernel or collective, as it is printed.
    TimeNs lastBusy() const;

private:
    std::span<const DeviceWork> m_work;
    std::vector<DeviceTask> m_tasks;
    std::vector<TimeNs> m_events;
    std::array<TimeNs, 2 + kMaxGroupSlots> m_streams{};
    std::array<std::uint32_t, kMaxGroupSlots> m_collectives{};
    Arrival m_arrival;
};

}  // namespace altiscope::generate
