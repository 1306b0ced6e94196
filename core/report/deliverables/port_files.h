#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// Ports of networks. Source: core/report/deliverables/FORMAT.md section 8. O(samples).

/// nic: a line per port of the device.
DeliverableResult writeNic(const DeliverableInput& input);
/// roce: likewise.
DeliverableResult writeRoce(const DeliverableInput& input);

}  // namespace altiscope
