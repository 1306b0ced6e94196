#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/daemon.h"
#include "core/capture/targets/job_output.h"
#include "core/capture/targets/result_listing.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope::capture {

/// All that one look at a target has found. Only values: CaptureRun::observe() makes it, applyObservations() reads it.
struct Observation {
    Result<Listing> listing = Listing{};  ///< Failed where the target could not be reached.
    /// The status of its daemon, or why there is none; nullopt: it was not asked at this look.
    std::optional<Result<DaemonStatus>> daemon = {};
    std::optional<std::int64_t> rankCount = {};  ///< Ranks of the whole job, as its processes say.
    /// Ends of the files that the job prints to; nullopt: they were not read at this look.
    std::optional<std::vector<FileTail>> output = {};
    std::vector<std::string> outputPaths = {};  ///< Names of these files, as the job has them.
    bool hasFollowed = false;                   ///< The second file of its method has been changed just before.
    std::optional<Error> followerProblem = {};  ///< Why that one cannot be changed.
};

}  // namespace altiscope::capture
