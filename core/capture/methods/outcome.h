#pragma once

#include <cstdint>
#include <string_view>

namespace altiscope::capture {

/// What results of a method look like.
enum class ResultKind {
    Folders,    ///< *_ascend_pt, *_ascend_ms, PROF_*.
    Snapshots,  ///< snapshot_*.pickle.
    Features,   ///< The folder itself, with data.jsonl and features/*.pt.
    Monitored,  ///< Files of npu-monitor: msmonitor_*.db, msmonitor_*.jsonl.
    Served,     ///< Folders of msServiceProfiler, MMDD-HHMM with databases, written since the file was changed.
};

/// More results of a rank than any job leaves: bounds what settings ask for.
inline constexpr std::int64_t kMaxResults = 1'000'000;

/// Whether the job analyses what it has recorded, as far as the settings say it.
enum class Analysis {
    Unknown,
    Yes,
    No,
    There,  ///< It does not, but the tools of the target were started for that, as the target's job.
};

/// How steps of settings compare with the iterations that Megatron prints.
enum class PrintedSteps {
    None,       ///< The job prints no such lines, or they cannot be compared.
    SameCount,  ///< The output's own.
    OwnCount,   ///< From the start of the job's process, which after a resume is another step.
};

/// Names of the fields that say which steps are recorded: [first, end + more).
struct StepFields {
    std::string_view first = {};  ///< Empty: `end` is a number of steps.
    std::string_view end = {};    ///< Empty: the settings say no steps.
    std::int64_t more = 0;
    PrintedSteps printed = PrintedSteps::None;
};

}  // namespace altiscope::capture
