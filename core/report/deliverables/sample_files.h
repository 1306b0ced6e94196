#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// Summaries of sampled counters and of memory. Source: core/report/deliverables/FORMAT.md section 8.

/// llc_read_write: means of the caches.
DeliverableResult writeLlc(const DeliverableInput& input);
/// hccs: max, min and mean rates.
DeliverableResult writeHccs(const DeliverableInput& input);
/// pcie: the last sample.
DeliverableResult writePcie(const DeliverableInput& input);
/// npu_mem: memory of the process and of the device.
DeliverableResult writeNpuMemory(const DeliverableInput& input);
/// npu_module_mem: what modules of CANN reserve.
DeliverableResult writeModuleMemory(const DeliverableInput& input);
/// ddr: mean rates.
DeliverableResult writeDdr(const DeliverableInput& input);
/// hbm: mean bandwidths, of the counters. Source: section 3.
DeliverableResult writeHbm(const DeliverableInput& input);

}  // namespace altiscope
