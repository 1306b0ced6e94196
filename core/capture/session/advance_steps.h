#pragma once

#include "core/capture/session/advance.h"

#include <cstddef>

namespace altiscope::capture {

// The part of a look that speaks of steps; pure as all of advance.h.

/// Reads the ends of a job's output: at which step it is, whether its tool refuses the configuration, and why it ended.
/// A refusal and a step are added to the listing, as if that had shown them.
void applyOutput(Progress& progress, std::size_t target, Observation& seen);

/// How far the recording is: kept anew at each look, an event when it is another sentence.
void applySteps(Progress& progress, std::size_t target, const Listing& listing);

}  // namespace altiscope::capture
