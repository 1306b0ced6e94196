#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/session/packing/units.h"

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <vector>

namespace altiscope {

// Engines that pack the units of a plan that are not done. All of them leave units.json up to date, and a unit that
// fails stops no other. Ended and run again, they do what is missing.

/// How long a file of another host may take to be seen: NFS believes what it knows of a folder for 60 s (acdirmax).
inline constexpr std::chrono::seconds kSeenWithin{65};

/// Called with the plan after each change of states, on any thread, one call at a time.
using UnitsChanged = std::function<void(const UnitPlan&)>;

/// A command for each unit that is neither done nor running, a line each, for a POSIX shell.
std::string unitCommands(const UnitPlan& plan);

struct SshEngine {
    std::vector<std::string> hosts;  ///< As capture::parseTarget() takes them; "local" is this machine.
    std::size_t perHost = 1;         ///< Units at a time on each.
};
/// Shares the units among hosts, which see the capture, the folder and the program under the same paths. A host that
/// cannot be reached, or has no program, costs the others its units, and is named. Units that still run since a former
/// run are followed until they end.
/// @param say  Gets a sentence about a host that is given up.
/// @return Cancelled, or Error "pack.not_written". A unit that failed is in the plan.
Result<Done> packOverSsh(UnitPlan& plan, const SshEngine& engine, const UnitsChanged& changed,
                         const std::function<void(const Error&)>& say, const CancelToken& cancel);

struct SlurmEngine {
    std::string partition, time, account, constraint;  ///< As sbatch takes them; empty: its defaults.
};
/// Submits the units as arrays of jobs (sbatch), unless they are already submitted, and follows them by squeue, sacct
/// and the files until all have ended. Cancelled, the jobs go on; run again, it follows them.
/// @return Cancelled; Error "pack.slurm.missing" (no sbatch), "pack.slurm.refused" {reason}, "pack.slurm.silent" (of
///         arrays of a former run nothing is known), "pack.units.busy" (another process does the same),
///         "pack.not_written".
Result<Done> packBySlurm(UnitPlan& plan, const SlurmEngine& engine, const UnitsChanged& changed,
                         const CancelToken& cancel);

}  // namespace altiscope
