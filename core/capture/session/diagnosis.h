#pragma once

#include "core/base/values/error.h"
#include "core/capture/targets/result_listing.h"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::capture {

/// What is known about a changed configuration that has had no effect so far.
struct PendingConfig {
    std::string config;                       ///< Path on the target.
    bool isLogged = false;                    ///< The tool's watchers keep logs beside the configuration.
    std::vector<std::int64_t> expectedRanks;  ///< Empty: all, or not known.
    std::chrono::seconds time{0};             ///< Since the configuration stands there.
};

/// The likely cause, as the watchers' logs and the job's output show it, with what to do; nullopt while there may be
/// none. At once: "capture.diagnosis.step_over". After ten seconds: "capture.diagnosis.nobody_looks",
/// "capture.diagnosis.job_gone", "capture.diagnosis.rank_not_listed". After a minute: "capture.diagnosis.slow_poll",
/// "capture.diagnosis.waits" (it has looked, and starts at a later step), or "capture.event.not_effective" where the
/// tool keeps no logs.
///
/// Sources: torch_npu looks every 2 s, later once per step but not more rarely than every 50 s, and logs to
/// log/dp_HOST_PID_rank_R.log (`profiler/dynamic_profile.py`, `_dynamic_profiler_monitor.py`).
std::optional<Error> diagnosis(const Listing& listing, const PendingConfig& pending);

}  // namespace altiscope::capture
