#pragma once

#include "core/analysis/account/candidates.h"

namespace altiscope {

/// Replays a job: whether that can be believed, and what its causes cost.
/// O(what-ifs * (nodes + edges)); parallel on the arena. Incomplete if cancelled.
JobAccount replayJob(const CandidateInput& input, const CancelToken& cancel);

}  // namespace altiscope
