#pragma once

#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "core/capture/targets/running_jobs.h"

#include <string>
#include <vector>

namespace altiscope::capture {

/// Whether a running job can be made to record by a method, and with which input.
struct JobMethod {
    const Method* method = nullptr;
    Error reason;                         ///< Why it cannot; without a code if it can, as far as one can see.
    std::string file;                     ///< The configuration that the job looks at; of methods with a file.
    std::vector<Assignment> assignments;  ///< Fields that say which process is meant.

    bool isPossible() const { return reason.code.empty(); }
};

/// All methods, those that act on running jobs first. A pure function.
/// @param target  Where the job was found: from one container nothing leads into another.
std::vector<JobMethod> methodsFor(const std::string& target, const RunningJob& job);

/// The target on which `target`'s job is to be recorded: its container there, where it runs in one whose name is known
/// and that can be reached from there.
std::string startTarget(const std::string& target, const RunningJob& job);

/// Its command as a shell would read it, without passwords; "…" at its end if it is longer.
std::string commandText(const RunningJob& job);
/// Its first 200 bytes, with "…" if there are more.
std::string shortCommandText(const RunningJob& job);

/// Looks at many targets at the same time.
/// @param cancelCheck, askpass  As RemoteShell::open; called from several threads.
/// @return In the order of the targets.
std::vector<Result<RunningJobs>> jobsOn(const std::vector<Target>& targets, const CancelCheck& cancelCheck,
                                        const Askpass& askpass = {});

}  // namespace altiscope::capture
