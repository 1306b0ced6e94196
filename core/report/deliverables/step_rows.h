#pragma once

#include "core/report/deliverables/deliverable_input.h"
#include "core/report/deliverables/framework_work.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope {

/// Times of a device in a step, in microseconds as the analysis of torch_npu adds them up.
/// Source: core/report/deliverables/FORMAT.md section 6.
struct StepRow {
    std::int64_t device = 0;
    std::string step;  ///< Its number; empty where there are no steps.
    double computing = 0, notOverlapped = 0, overlapped = 0, communication = 0, free = 0, bubble = 0;
    double notOverlappedExcludingReceive = 0;
    double stage = 0, preparing = 0;  ///< Differences of points in time, good to 0.25 us.
    bool hasComputing = false, hasExposed = false, hasCommunication = false, hasFree = false;  ///< Any bar of a kind.
    bool hasBubble = false;  ///< Something was received.
    bool hasWork = false;    ///< Else there is nothing to prepare.
    bool hasBars() const { return hasComputing || hasExposed || hasCommunication || hasFree || hasBubble; }
};
/// A step on the host: an operator that no other one called.
struct HostStep {
    std::uint32_t op = 0;  ///< Index in FrameworkWork::operators.
    std::string number;
    TimeRange range;
};
/// By begin. O(operators).
std::vector<HostStep> hostSteps(const TraceStore& trace, const FrameworkWork& work);
/// Steps that launched something, by begin on the host. O(operators + kernels).
std::vector<DeviceStep> deviceSteps(const DeliverableInput& input, const FrameworkWork& work);
/// By device, then step. O(steps · bars of the overlap analysis). None where there is no such; after a cancel some.
std::vector<StepRow> stepRows(const DeliverableInput& input, const FrameworkWork& work);

}  // namespace altiscope
