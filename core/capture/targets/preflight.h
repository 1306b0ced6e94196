#pragma once

#include "core/base/values/result.h"
#include "core/capture/targets/remote_shell.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace altiscope::capture {

/// What a capture will need on a target. Relative paths count from the working directory; that one, if relative, from
/// where commands begin there (for this machine: here).
struct PreflightRequest {
    std::string workdir;
    std::string results;  ///< Folder that results appear in.
    std::string config;   ///< File that is changed; empty: none is.
    bool launches = false;
    std::string program;       ///< One of these must be found there, separated by spaces; empty: none.
    bool isWatched = false;    ///< A running job looks at the configuration.
    std::string launch;        ///< Command that starts the job, which may set variables itself; empty: none.
    std::string forbidden;     ///< Variables that the job must not have (NAME, or NAME=VALUE), separated by spaces.
    std::string pid;           ///< Process that msprof attaches to; empty: none.
    std::string options;       ///< Options that the help of the program must list; separated by spaces.
    std::string service = {};  ///< Address that a service must answer at; empty: none.
};

/// One thing that was looked at.
struct Check {
    std::string name;  ///< "reach", "tools", "workdir", "results", "space", "state", "program", "config", "clock",
        ///< "rsync", "cann", "watcher", "daemon", "settings", "environment", "pid", "options", "size", "steps",
        ///< "service", "start" (what ends it, where none of these does).
    enum class State { Good, Warning, Failed } state = State::Good;
    /// What is wrong and what to do; of a good one what there is to know about it. Without a code if that is nothing.
    Error problem;
    /// What was found, in words that need no translation: a path, a version, "12 GB"; may be empty.
    std::string detail;
};

/// The first failed check; null if there is none.
const Check* firstFailure(std::span<const Check> checks);

struct Preflight {
    std::vector<Check> checks;
    std::string workdir, results, config;  ///< Absolute; config: no link.
    std::optional<std::uint64_t> free;     ///< Bytes where results go; nullopt: not known.
    std::string logs;                      ///< Where those who look at the configuration keep their logs.
};

enum class Rounded { Down, Up };
/// Millions of bytes, as all sentences about space have them: what is free rounded down, what is needed up.
std::string megabytes(std::uint64_t bytes, Rounded rounded);

/// Looks at a target in one round trip and changes nothing.
/// @return Error as RemoteShell::run; what is there but not as needed is a failed check.
Result<Preflight> preflight(const RemoteShell& shell, const PreflightRequest& request);

}  // namespace altiscope::capture
