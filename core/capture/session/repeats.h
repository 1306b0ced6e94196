#pragma once

#include "core/base/values/error.h"
#include "core/base/values/result.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/validation.h"
#include "core/capture/targets/remote_shell.h"

#include <chrono>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// How often a capture of a running job is started, and when. Whoever drives the captures waits between them; there is
/// no session of the waiting itself.
struct RepeatPlan {
    std::int64_t times = 1;          ///< Captures altogether, 1 to kMaxRepeats.
    std::chrono::seconds pause{60};  ///< After each, before the next may start; kMinPause to kMaxPause.
    /// Each one starts once a step takes longer, in microseconds; 0: it starts at once.
    std::int64_t slowerThan = 0;
    std::string stepLog;  ///< On each target: the job's output, which says how long its steps take.
    std::string workdir;  ///< A relative stepLog counts from it; empty: from where commands start there.

    bool isOne() const { return times == 1 && slowerThan == 0; }
};

constexpr std::int64_t kMaxRepeats = 1000;
/// The tools take changes of a configuration by whole seconds.
constexpr std::chrono::seconds kMinPause{2}, kMaxPause{7 * 24 * 3600};
/// Longest time of a step that is waited for, in milliseconds.
constexpr std::int64_t kMaxSlowerMs = 7 * 24 * 3600 * 1000;

/// Why captures with these settings cannot be repeated: "capture.repeat.method" where the method does not act on
/// running jobs or starts at a step of its own number, "capture.repeat.start_step" where the settings do that.
std::optional<Error> repeatProblem(const Method& method, const std::string& preset,
                                   const std::vector<Assignment>& assignments);

/// Settings with which a capture starts at the next step, whatever the configuration of the job says: one that a
/// capture before had started at a step of its own number would wait for that step for ever.
std::vector<Assignment> repeatedAssignments(const Method& method, const std::string& preset,
                                            std::vector<Assignment> assignments);

/// How long steps took, in microseconds, in the order of the lines of a job's output: Megatron's "elapsed time per
/// iteration (ms): 812.3", MindSpore's "per step time: 812.3 ms", MindFormers' "per_step_time: 812ms". Megatron prints
/// the mean since its last line.
///
/// Sources: Megatron-LM `training/training.py`, MindSpore's TimeMonitor, MindFormers' MFLossMonitor.
std::vector<std::int64_t> stepTimes(std::string_view output);

/// The step that a capture was waiting for.
struct SlowStep {
    std::string target;
    std::int64_t time = 0;  ///< Microseconds.
};

/// Looks at what the logs of steps get, on all targets, until a step is slower than the plan says; at once where it
/// says nothing. What stood there before does not count. A target that cannot be reached, or whose log has vanished, is
/// tried again.
/// @param cancelCheck, askpass  As RemoteShell::open; polled, and called, from several threads.
/// @param listener              Gets what there is to say while it waits, on this thread; may be empty.
/// @return nullopt if the plan waits for no step. Error "capture.repeat.no_log" if no target has that file at first, or
///         as RemoteShell::run if none could be reached at first. Cancelled.
Result<std::optional<SlowStep>> waitForSlowStep(const RepeatPlan& plan, const std::vector<Target>& targets,
                                                const CancelCheck& cancelCheck, const Askpass& askpass,
                                                const std::function<void(const Error&)>& listener);

/// The pause between two captures. @return False if cancelled.
bool pauseFor(std::chrono::seconds time, const CancelCheck& cancelCheck);

/// "812.3", milliseconds of microseconds.
std::string millisecondsText(std::int64_t microseconds);

}  // namespace altiscope::capture
