#pragma once

#include "core/generate/model_stage.h"
#include "core/generate/unit_program.h"

namespace altiscope::generate {

/// The host's program for training a transformer: per micro-batch data loading, forward, loss, backward and a look at the
/// loss (which waits for the device); in a step's last micro-batch also the reduction of gradients, overlapped with the
/// backward pass, and an AdamW step. Pure function; O(layers).
RunProgram transformerTraining(const ModelShape& shape);

}  // namespace altiscope::generate
