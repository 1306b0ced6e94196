#pragma once

#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace altiscope::reader {

/// The device that the label of a track's process names ("NPU 3"); an old trace says "NPU" without a number, which its
/// process id then has. Source: core/import/trace/FORMAT.md section 4.
std::optional<std::int64_t> deviceOfTrack(const Track& track);

/// Whether tasks begin in nine of ten periods of a time. Between two recordings none do but those that one of them has
/// before its first sample or after its last one.
/// @param begins  Of tasks, in order.
bool beginInNearlyAll(std::span<const std::int64_t> begins, TimeRange range, std::int64_t period);

/// When tasks of devices began, within the home range of a timeline: others are of another recording, or were never
/// set. `trace` must outlive it.
class TaskTimes {
public:
    TaskTimes(const TraceStore& trace, const CancelToken& cancel);

    /// The last begin on a device; where a device is unknown, on the only one. nullopt where there is none.
    std::optional<std::int64_t> last(std::optional<std::int64_t> device) const;
    /// beginInNearlyAll of the tasks of that device. Gathers them the first time: O(tasks * log), 8 bytes each.
    bool goOn(std::optional<std::int64_t> device, TimeRange range, std::int64_t period);

private:
    struct OfDevice {
        std::vector<std::span<const std::int64_t>> runs;
        std::vector<std::int64_t> begins;  // of all of them, once they are wanted
    };
    using Devices = std::map<std::optional<std::int64_t>, OfDevice>;
    Devices::const_iterator find(std::optional<std::int64_t> device) const;

    CancelToken m_cancel;
    Devices m_devices;
};

}  // namespace altiscope::reader
