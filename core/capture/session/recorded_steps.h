#pragma once

#include "core/base/values/error.h"
#include "core/capture/methods/outcome.h"
#include "core/capture/methods/settings.h"
#include "core/capture/targets/daemon.h"

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope::capture {

/// Steps [first, end) that settings make a job record.
struct RecordedSteps {
    std::int64_t first = 0, end = 0;
    PrintedSteps printed = PrintedSteps::None;
};
/// Of methods whose jobs print the iterations of Megatron; nullopt for all others, whose output says no step that could
/// be compared.
///
/// Sources: MindSpeed-LLM `training/training.py` (iterations from 1), MindSpeed-MM `tools/profiler.py` (steps of the
/// process from 0), Megatron-LM `training_log` ("iteration 7/ 500").
std::optional<RecordedSteps> recordedSteps(const Settings& settings);

/// How far the recording is.
///
/// @param printed  What the job printed last of its iterations, "iteration 7/ 500": that one is done.
/// @return "capture.steps.until", "capture.steps.recording", "capture.steps.apart"; nullopt for what says no step, and
///         once all are recorded.
std::optional<Error> stepSentence(std::string_view printed, const RecordedSteps& steps);
/// The same, as the daemon of msMonitor says it of a trace.
std::optional<Error> stepSentence(const DaemonStatus& status);

}  // namespace altiscope::capture
