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

/// The host's program for training a model of the shape's kind, a unit at a time: per micro-batch data loading,
/// forward, loss, backward, and at the end of the unit a look at the loss (which waits for the device); in a step's
/// last micro-batch also the reduction of gradients, overlapped with the backward pass, and a step of the optimizer.
/// Stages of a pipeline have their share of the layers; activations and gradients go from one to the next: in a unit
/// of one micro-batch the stages take turns, in one of several they work at once, one forward and one backward pass
/// after the other (1F1B). Pure function; O(layers * micro-batches of a unit).
RunProgram trainingProgram(const ModelShape& shape, const ProgramExtras& extras = {});

}  // namespace altiscope::generate
