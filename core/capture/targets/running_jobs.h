#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/container_name.h"
#include "core/capture/targets/remote_shell.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::capture {

/// A process on a target that looks like one rank of a training or inference job. All texts are as the process has
/// them: they may hold anything.
struct RunningJob {
    std::int64_t process = 0;
    std::int64_t parent = 0;
    std::string user;
    std::string workdir;               ///< Empty: not readable, as of another user.
    std::vector<std::string> command;  ///< Its first 8 KiB.
    bool isCut = false;                ///< The command is longer.
    std::string framework;             ///< "torch", "mindspore"; empty: not known.
    /// Of its environment, those that say something about ranks or recordings. Empty unless isReadable.
    std::vector<std::pair<std::string, std::string>> variables;
    std::optional<std::int64_t> rank, ranks;  ///< As environment or log say; ranks: how many there are.
    std::string torchConfig;                  ///< profiler_config.json that torch_npu looks at; empty: none is known.
    std::string mindsporeConfig;              ///< The same of MindSpore's DynamicProfilerMonitor.
    std::string tools;                        ///< tools.json of MindSpeed-MM; empty: none is named.
    bool isReadable = false;                  ///< Its environment can be read.
    /// It runs in a container, or has another root, so that its paths are not those of the target: all paths here are
    /// as it sees them itself.
    bool isContained = false;
    ContainerName container;        ///< Which one, where its name is known.
    std::int64_t innerProcess = 0;  ///< Its number there; 0: that of the target.
    bool isAttachable = false;      ///< msprof's socket of this process is there.
    bool usesDevice = false;        ///< It has an NPU open.
    bool isWatching = false;        ///< It has a log of torch_npu's watcher open that is named after it.

    /// Empty if it is not set.
    std::string_view variable(std::string_view name) const;
};

struct RunningJobs {
    std::vector<RunningJob> jobs;  ///< By rank, then process; those without rank last.
    std::size_t unseen = 0;        ///< Processes that were not looked at, because there are so many.
    /// Processes of Python that nobody may look into, as those of other users, and that nothing else shows to be jobs.
    std::size_t closed = 0;
};

/// Looks for running jobs on a target in one round trip and changes nothing: processes of Python, of Ray, or with
/// msprof's socket, that have a framework loaded or an NPU open, carry a variable of ranks or recordings, or name a
/// configuration for recordings. A framework's name counts in the program (script, module, imports of -c), not among
/// its arguments; of another user's process, which nobody may look into, that is all there is. Launchers (torchrun,
/// msrun and its scheduler), and what works for a job (loads data, counts its resources), are left out.
///
/// Sources: variables and files of torch_npu (`profiler/_non_intrusive_profile.py`, `dynamic_profile.py`), MindSpore
/// (DynamicProfilerMonitor), msMonitor and msprof, see core/capture/README.md.
/// @return Error as RemoteShell::run.
Result<RunningJobs> runningJobs(const RemoteShell& shell);

}  // namespace altiscope::capture
