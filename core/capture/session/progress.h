#pragma once

#include "core/capture/session/record.h"
#include "core/capture/session/recorded_steps.h"
#include "core/capture/session/results.h"
#include "core/capture/targets/daemon.h"

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::capture {

/// A moment by the two clocks of a capture: one measures how long something lasts, the other dates events.
struct Moment {
    std::chrono::steady_clock::time_point steady{};
    std::int64_t ns = 0;  ///< Since 1970.
};
Moment momentNow();

/// Facts about a target that are known only while a process looks at it.
struct TargetWatch {
    ResultWatch results;
    JobState job = JobState::Unknown;
    int jobStatus = 0;
    std::string logLine, watcherLine, daemonLine, daemonFault, diagnosis;  ///< The last of each that was reported.
    bool isLost = false, isConfigForeign = false, isShared = false;
    bool hasRun = false;     ///< Its daemon has said that it records.
    bool isJobGone = false;  ///< No process of a job that was not started from here runs any more.
    bool isLeft = false;     ///< All results are of processes that are gone, and stay as they are.
    std::optional<std::chrono::steady_clock::time_point> refused;  ///< Since when its job is known not to record.
    std::string notedSteps;                                        ///< Code of the last message about steps.
    std::optional<std::optional<RecordedSteps>> steps;             ///< Once they have been computed.
    std::int64_t ranks = 0;                   ///< Number of ranks of the whole job, as its processes say; 0: not known.
    std::string reason;                       ///< Why the job ended, by the last traceback in its output.
    std::string refusal;                      ///< The last line in which the tool did not take the configuration.
    int failedWrites = 0;                     ///< Tries of the configuration that is due.
    std::optional<std::int64_t> printed;      ///< Step that the job printed last.
    std::optional<std::int64_t> refusedStep;  ///< The tool's own count when it refused the configuration.
    std::optional<DaemonStatus> daemon;
    std::optional<Error> daemonProblem;
};

/// How far a capture is: its record, and what is known besides while a process follows it. Only values.
struct Progress {
    CaptureRecord record;
    std::vector<TargetWatch> watches = {};  ///< One for each target of the record.
    Moment now = {};                        ///< The moment of the last look; events are dated by it.
    int corrections = 0;                    ///< Start steps that were computed anew.
    int failedRestores = 0;                 ///< Tries to put everything back at the end.
    std::optional<std::chrono::steady_clock::time_point> asked =
        {};  ///< Since when the tool is asked for its own count.
};

/// After so many events only changes of states are kept.
inline constexpr std::size_t kMaxMessages = 5000;

/// Adds an event of a target to the record.
void note(Progress& progress, std::size_t target, const std::optional<std::int64_t>& rank, State state,
          Error message = {});
/// Adds an event of the capture as a whole.
void noteAll(Progress& progress, Error message);
/// A line of a target as an event with `code`, unless it is empty or the `last` one; without secrets.
void noteOnce(Progress& progress, std::size_t target, std::string& last, const std::string& line, const char* code);

/// Makes it the state of the capture; another one begins a phase.
void enter(Progress& progress, State state);

/// Whether the start step is one that is over, for the tool to say its own count.
bool isAsking(const CaptureRecord& record);
/// Over in every job that prints steps.
inline constexpr std::int64_t kAskingStep = 1;

/// Reasons and refusals that were printed before the capture are none of it.
void addEarlierOutput(TargetRecord& target, std::string_view text);

/// The state of the rank that is behind all others; over once all are, as failed where one is.
State stateOfRanks(const std::vector<RankRecord>& ranks);

/// Whether no other host needs the configuration of this one, as on a disk that they share.
bool ownsConfig(const CaptureRecord& record, std::size_t target);

/// The phase has lasted as long as it may.
Error timeoutSentence(const CaptureRecord& record);

}  // namespace altiscope::capture
