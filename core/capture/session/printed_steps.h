#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::capture {

/// How far a job says that it is.
struct PrintedStep {
    std::int64_t step = 0;  ///< Number that it printed last.
    std::int64_t gap = 1;   ///< Steps from one such line to the next.
};

/// The number of the step in lines that a job prints again and again: "iteration 7/ 500" (Megatron), "step: 7", "Step
/// 7/500", "global_step=7", " 7/500 [00:04<" (tqdm), "Epoch:[ 2/ 10], step:[ 7/ 500]" (MindFormers: counted over all
/// epochs). Of several kinds of lines the one that comes most often. nullopt where no line has one, or where steps
/// begin anew with each epoch and nothing says how many an epoch has.
/// @param text  End of the output; lines end with "\n".
std::optional<PrintedStep> printedStep(std::string_view text);

/// The number after the first `before` in a line; nullopt: there is none.
std::optional<std::int64_t> numberAfter(std::string_view line, std::string_view before);

/// The last line in which a tool says that it does not take a configuration: "... is not effective", "start step ... is
/// over"; empty: none.
std::string_view refusalLine(std::string_view text);

/// The reason in the last traceback of Python: "ValueError: no such file"; of launchers the one of their rank. Empty:
/// none.
std::string tracebackReason(std::string_view text);

/// The last configuration that was taken, as the log of a watcher of torch_npu, or a job's output, says it.
struct WatcherSays {
    std::optional<std::int64_t> poll;     ///< Seconds between two looks at the configuration.
    std::optional<std::int64_t> started;  ///< Step at which recording began; nullopt: not since it was taken.
    bool hasTaken = false;                ///< A configuration was taken.
};
/// Source: torch_npu `profiler/dynamic_profile.py`, `_dynamic_profiler_monitor.py`.
WatcherSays watcherSays(std::string_view log);

/// Steps at which processes say that they began to record, by their numbers, in an output that several share. The
/// latest of each.
std::map<std::int64_t, std::int64_t> startsByProcess(std::string_view text);

}  // namespace altiscope::capture
