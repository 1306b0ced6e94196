#pragma once

#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_host/raw_collectives.h"
#include "core/import/raw_host/raw_host.h"
#include "core/import/raw_records/raw_device.h"
#include "core/import/raw_records/raw_metrics.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// From counts of a device to times.
class RawDeviceTimes {
public:
    /// @param tasks  All that will be looked at. They and the settings have to live as long as this does.
    RawDeviceTimes(const RawSettings& settings, std::span<const RawDeviceTask> tasks);
    /// Wall times of begin and end, ns; nullopt for what is none.
    std::pair<std::optional<std::int64_t>, std::optional<std::int64_t>> wall(const RawDeviceTask& task) const;
    /// By the host's monotonic clock.
    RawRealTime real(const RawDeviceTask& task) const;
    /// Whether wall times say the same as reals.
    bool isExact() const { return m_isExact; }

private:
    const RawSettings& m_settings;
    const RawClock m_clock;
    const bool m_isExact;
};

/// A task of a device with its time, and the task of the host that it is.
struct RawJoinedTask {
    std::size_t place = 0;            ///< Among the tasks of the device.
    std::int64_t begin = 0, end = 0;  ///< Wall time in ns.
    std::int64_t host = -1;           ///< Index in RawHost::tasks; -1: the host knows nothing of it.
    bool hasBar = true;               ///< False: its sub-tasks have bars of their own.
};
/// Tasks that a device and the host have in common, and those that only one of them knows.
struct RawJoined {
    std::vector<RawJoinedTask> tasks;  ///< By begin. Without those that ended before the collection began.
    std::vector<RawCollectiveRun> collectives;
    std::uint64_t ambiguous = 0;          ///< Tasks that several tasks of the host may be; left out.
    std::vector<std::uint64_t> badTimes;  ///< Numbers of records whose times are none; left out.
    std::uint64_t excludedParts = 0;      ///< See rawExcludedParts.
    std::uint64_t nameless = 0;           ///< Tasks of types that have no bar; left out.
    std::uint64_t early = 0;              ///< Tasks that ended before the collection began; left out.
    std::uint64_t unknown = 0;            ///< Tasks of which the host knows nothing.
    std::uint64_t missing = 0;            ///< Computing tasks of the host that no record of the device mentions.
};
/// @param host  Its tasks sorted by sortRawTasks. Source: FORMAT.md. After a cancel the result is of
/// no use.
RawJoined joinRawTasks(const RawHost& host, std::int64_t device, const RawSettings& settings,
                       std::span<const RawDeviceTask> tasks, const CancelToken& cancel);
/// The tasks of the host that are for a device. @pre They are sorted by sortRawTasks.
struct RawTasksOfDevice {
    std::size_t first = 0, count = 0;  ///< In RawHost::tasks.
};
RawTasksOfDevice rawTasksOf(const RawHost& host, std::int64_t device);
/// By place of a device's task.
std::vector<RawTaskBlocks> rawTaskBlocks(const RawHost& host, const RawJoined& joined, std::size_t tasks);
/// After a cancel they are all there, in any order.
void sortRawTasks(RawHost& host, const CancelToken& cancel);

/// Collectives and their parts that are drawn, in the order in which they are numbered.
struct RawCollectiveOrder {
    struct Part {
        std::size_t run, part;
    };
    std::vector<Part> parts;
    std::vector<std::size_t> runs;
};
RawCollectiveOrder rawCollectiveOrder(const RawHost& host, std::span<const RawCollectiveRun> runs,
                                      std::int64_t wallBegin);

}  // namespace altiscope::reader
