#pragma once

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/framework_work.h"

#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

/// Times of a device in a step, as the table StepTraceTime states them. Times are ns.
struct StepTraceRow {
    std::int64_t device = 0;
    std::string step;  ///< Its number; empty where there are no steps.
    std::int64_t computing = 0, notOverlapped = 0, overlapped = 0, communication = 0, free = 0;
    std::int64_t stage = 0, bubble = 0, notOverlappedExcludingReceive = 0, preparing = 0;
};

/// A step lasts on the devices from the first task that it launched to the end of its last one, on the host at least:
/// the text export (step_rows.h) knows only the first and last work of the queue. Where there are no steps one without
/// a number holds all. O(steps * tasks). Source: core/report/deliverables/FORMAT.md section 7.
/// @param input  With the records of TaskDetail::Everything.
std::vector<DeviceStep> databaseSteps(const DeliverableInput& input, const FrameworkWork& work);
/// By device, then step; none without work. O(steps * tasks).
/// @param steps  databaseSteps().
std::vector<StepTraceRow> stepTrace(const DeliverableInput& input, std::span<const DeviceStep> steps);

}  // namespace altiscope
