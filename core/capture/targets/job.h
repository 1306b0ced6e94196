#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <string>

namespace altiscope::capture {

/// A job that is to be started on a target. It lives on when the connection ends.
struct Launch {
    std::string name;     ///< Of its folder there, below $XDG_STATE_HOME/altiscope/captures; new.
    std::string workdir;  ///< Absolute.
    std::string command;  ///< The user's own text for a shell; a file of its own that nothing is added to.
    std::string frame;    ///< Our text that runs it: `sh "$1/launch.sh"` with variables and options around.
};

/// @return The job's folder there, which has job.log, and job.rc once it has ended. Error "capture.job.not_started".
Result<std::string> startJob(const RemoteShell& shell, const Launch& launch);

/// Makes a folder with all above it, where it is not there. @return Error "capture.check.results".
Result<Done> makeFolder(const RemoteShell& shell, const std::string& path);

/// Removes the user's command from the job's folder, once the job has begun: its shell has the file open.
Result<Done> forgetCommand(const RemoteShell& shell, const std::string& folder);

/// Asks the job and its children to end, and ends them after two seconds. Only the process that was started, never
/// another one that has its number now.
/// @param folder  Of startJob(), or the name that it was given where its reply was lost.
Result<Done> stopJob(const RemoteShell& shell, const std::string& folder);

}  // namespace altiscope::capture
