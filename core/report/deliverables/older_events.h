#pragma once

#include "core/base/values/time.h"
#include "core/store/raw/task_records.h"
#include "core/trace/track.h"

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

// Forms in which the vendor's older program writes events of chips 1 to 4. Source:
// core/report/deliverables/FORMAT.md section 5.

/// When something is, as the file has it: by monotonic times of the host or the device, see printedTime().
TimeNs olderTime(const TaskRecords& tasks, const Track& track, TimeNs time);

/// When a sample was taken, as the file has it: tables of HBM and LLC keep ns as a real, and the shortest decimal
/// number that means the same real is printed.
/// @param process  Of the counter.
TimeNs olderSampleTime(std::string_view process, TimeNs time);

/// How long a call of CANN took: counts of the host through seconds.
std::string olderCallTime(DurationNs duration);

/// The number of a process's layer. Counters stand in another order than where they are shown, by the layers of newer
/// versions of the vendor's program.
std::int64_t printedLayer(const Track& track, bool isOlder);

/// Arguments of a slice: those of copies are of any task's, a length of 0 is a whole number, and nothing is said of
/// repeated and relayed collectives.
/// @param json  Without spaces.
std::string olderArguments(const Track& track, std::string_view name, std::string_view json);

}  // namespace altiscope
