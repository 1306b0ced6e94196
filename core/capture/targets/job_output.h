#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope::capture {

/// A file that a process prints to, itself or through a pipe to another program (`| tee FILE`).
struct OutputFile {
    /// "/proc/PID/fd/N": leads there also in a container, and when the file has another name by now.
    std::string source;
    std::string path;  ///< Its name as that process sees it, for when the process has ended.
    std::int64_t process = 0;
};

/// A process that keeps a log of torch_npu's watcher open that is named after it.
struct RankProcess {
    std::int64_t process = 0;  ///< Its number on the host, also where the log has the one in its container.
    std::int64_t rank = -1;
    std::string log;  ///< Name of the file.
};

/// Where a job's processes print.
struct JobOutputs {
    std::vector<OutputFile> files;   ///< Each file once, at most 64.
    std::vector<RankProcess> ranks;  ///< By rank; at most 1,000.
    std::size_t processes = 0;       ///< Processes that were looked at.
    std::size_t closed = 0;          ///< Those of which nothing can be read: a terminal, a socket, /dev/null.
};

/// Looks for them in one round trip, and takes nothing from a pipe: of one whose readers write no file there is nothing
/// to be had.
/// @param logs       Folder of the watchers' logs, whose processes are looked for; empty: none.
/// @param processes  Further ones, by their numbers on the host.
/// @return Error as RemoteShell::run.
Result<JobOutputs> findOutputs(const RemoteShell& shell, const std::string& logs,
                               std::span<const std::int64_t> processes);

/// How many ranks a job has that was started by startJob(), as the environment of its processes says.
/// @return nullopt while none of them says it.
Result<std::optional<std::int64_t>> worldSize(const RemoteShell& shell, const std::string& jobFolder);

/// The end of a file, without a line that is not all there at its begin; "\r" is an end of a line, too.
struct FileTail {
    std::string name;  ///< As it was asked for.
    std::string text;
};

/// The last 8 KiB of files, in one round trip. Those that cannot be read are left out.
/// @param files  Of each, the source, or where that is gone the path.
/// @param logs   Of watchers, by their paths.
Result<std::vector<FileTail>> readTails(const RemoteShell& shell, std::span<const OutputFile> files,
                                        std::span<const std::string> logs);

}  // namespace altiscope::capture
