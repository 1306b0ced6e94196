#pragma once

#include "core/analysis/account/candidates.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// What passes on a piece of a critical path: the words of the column `kind` of the SQL table `critical_path`.
enum class PathKind : std::uint8_t {
    Compute,        ///< A task of the device runs.
    Communication,  ///< A collective moves data: from the arrival of its last rank on.
    Host,           ///< The host works towards the next task, or its launch is on the way.
    Wait,           ///< Delays of the device between tasks, and waits for ranks that are not in the capture.
};
std::string_view pathKindName(PathKind kind);  ///< "compute"

/// A piece of the critical path of a step.
struct PathPiece {
    std::uint32_t step = 0;  ///< Place in JobGraph::steps.
    RankIndex rank{};
    SliceIndex slice = kNoSlice;  ///< What ran, of the host the innermost slice; kNoSlice: nothing recorded.
    TimeNs begin;                 ///< On the clock of the rank.
    std::int64_t duration = 0;    ///< ns, more than 0; on the common clock.
    PathKind kind = PathKind::Wait;
};

/// The critical path of each step of a job: from the end of the step back to its begin, along what each task waited for
/// last, over all ranks. Where two bind at once, what ended later. It never waits for a rank that is here: it goes on
/// there. A step of the job is that of Replay::steps(), and the pieces of a step add up to it exactly.
/// @return By step and time. Any thread. O(nodes + path * (log + what the host did on it)), 40 bytes a piece.
std::vector<PathPiece> criticalPaths(const CandidateInput& input, const Replay& recorded, const CancelToken& cancel);

}  // namespace altiscope
