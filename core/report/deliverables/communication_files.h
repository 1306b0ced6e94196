#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// communication.json and communication_matrix.json: of msprof one object of collectives, of torch_npu one per step.
// Source: core/report/deliverables/FORMAT.md section 4. O(collectives and their packets).

DeliverableResult writeCommunication(const DeliverableInput& input);
DeliverableResult writeCommunicationMatrix(const DeliverableInput& input);

}  // namespace altiscope
