#pragma once

#include "core/generate/model/model_stage.h"
#include "core/generate/model/unit_program.h"

#include <cstdint>
#include <string>
#include <vector>

namespace altiscope::generate {

/// What a program does beside training the model.
struct ProgramExtras {
    std::uint32_t loggedValues = 0;       ///< That the training loop looks at in Python at the end of a step.
    std::vector<std::uint64_t> leaks;     ///< Bytes of blocks that each step leaves behind.
    std::vector<std::string> operations;  ///< Types of operators that each micro-batch calls once.
    bool waitsForReductions = false;      ///< The backward pass stops until each bucket of gradients is reduced.
};

/// The host's program for training a model of the shape's kind: per micro-batch data loading, forward, loss, backward
/// and a look at the loss (which waits for the device); in a step's last micro-batch also the reduction of gradients,
/// overlapped with the backward pass, and a step of the optimizer. Stages of a pipeline have their share of the layers;
/// activations and gradients go from one to the next, one micro-batch after the other. Pure function; O(layers).
RunProgram trainingProgram(const ModelShape& shape, const ProgramExtras& extras = {});

}  // namespace altiscope::generate
