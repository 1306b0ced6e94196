#pragma once

#include "core/base/columns/interval_set.h"
#include "core/store/capture_store.h"
#include "core/trace/track.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// The time in which kernels and collectives of a step ran on the device.
struct StepSpan {
    std::optional<std::int64_t> step;  ///< nullopt: the recording has no steps, and this is all of it.
    TimeRange device;                  ///< Slices that start in here are the step's.
    std::optional<TimeRange> host;     ///< ProfilerStep, where its time is known.
    TimeNs freeUntil{
        std::numeric_limits<std::int64_t>::max()};  ///< A gap that begins in the step is the step's until here.
    bool lacksKernels = false;  ///< Its launches have no kernels, where those of other steps do (markLoneLaunches()).
};

/// When one device was busy.
struct DeviceBusyTimes {
    std::optional<std::int64_t> device;  ///< Its number, where the timeline states it.
    IntervalSet computing;               ///< Union of the kernels.
    IntervalSet communication;           ///< Union of the collectives, from first to last task of each.
    std::vector<TimeRange> receives;     ///< Operators named hcom_receive*, by begin; may overlap.
};

/// When the device of a rank was busy; or its devices, where several were recorded into one capture.
struct DeviceActivity {
    std::vector<DeviceBusyTimes> devices;  ///< By number; at least one.
    std::vector<StepSpan> steps;           ///< By begin of the device's range, of all devices; no two begin at once.

    /// The step whose device range holds a time: of several the last to begin. O(log steps); nullopt if none does.
    std::optional<std::size_t> stepAt(TimeNs time) const;
};

/// Whether the events of a rank were read, all of them.
bool hasEvents(const RankEntry& rank);
/// Whether there is anything to compute from: events, or rows of kernels alone.
bool hasComputation(const RankEntry& rank);

/// Whether a slice on a track of the device is a kernel, by its name: those of other tasks are words like EVENT_WAIT,
/// and some with small letters, joined by blanks (sub-tasks of FFTS+) or underscores (small operators of collectives,
/// core/import/communication/FORMAT.md).
bool isKernelName(std::string_view name);

/// Whether a track shows the collectives of a group as a whole: neither the tasks on its planes, nor what the process
/// CCU shows of the engine that moves the data. Source: core/import/trace/FORMAT.md section 4.
bool isGroupTrack(const Track& track);

/// Whether a track shows the tasks of a stream: tracks of steps and iterations are among those.
bool isStreamTrack(const Track& track);

/// Reads a rank's kernels and collectives.
///
/// Kernels are the rows of `kernel` of kind compute, at the time of their slices (without a timeline: as their file
/// prints it); where there are none, the slices on the tracks of the device whose names are not words of task types
/// (all capitals) or of tasks of collectives. Collectives are the slices on group tracks of communication, or else the
/// rows of `kernel`. The Overlap Analysis is never looked at. A step's device range lasts from its first kernel to the
/// end of its last one, and at least to the end of the step on the host (source: core/import/csv/FORMAT.md section 7);
/// without step numbers of kernels, from the begin of the step on the host to that of the next, and of the last one to
/// its end there. Devices are distinguished by the labels of their tracks, without a timeline by what the rows name.
/// @return nullopt if cancelled, or without hasComputation.
/// @note   Any thread; parallel on the arena. O(kernels + collectives).
std::optional<DeviceActivity> readDeviceActivity(const RankEntry& rank, const CancelToken& cancel);

}  // namespace altiscope
