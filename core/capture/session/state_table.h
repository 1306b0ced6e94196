#pragma once

#include "core/capture/session/record.h"
#include "core/capture/session/results.h"

#include <optional>

namespace altiscope::capture {

// The states of a capture as tables: what is known, and what follows from it. Pure functions of their arguments; the
// first row that applies counts. README.md has a picture of them.

/// Facts about the job on a target, from which follows whether its results are still being written.
struct JobFacts {
    JobState before = JobState::Unknown;    ///< At the look before.
    bool isOurs = false;                    ///< It was started from here.
    std::optional<int> status = {};         ///< With which it ended, where it is ours.
    bool hasVanished = false;               ///< It is ours, does not run, and its status is not known.
    bool isCall = false;                    ///< It only calls a service, which writes the results.
    bool isConfigEnded = false;             ///< The configuration is what the tool makes of it at its end.
    bool areProcessesKnown = false;         ///< Those that look at the configuration.
    bool areProcessesGone = false;          ///< None of them runs any more.
    bool areResultsOrphaned = false;        ///< There are results, all of processes that run no more.
    bool hasResults = false;                ///< Some were seen at this look, or before.
    bool areResultsStill = false;           ///< They have stayed the same for long.
    ResultKind kind = ResultKind::Folders;  ///< Of its results.
    std::optional<bool> isMonitorOn = {};   ///< As the daemon of a monitor says it; nullopt: no monitor, or no reply.
    bool hasMonitored = false;              ///< It was on once, or has left results.
};
/// A job that does not fit any row stays what it was before.
JobState jobStateAfter(const JobFacts& facts);

/// Facts about a target that its state follows from.
struct TargetFacts {
    std::optional<State> ranks = {};  ///< That of the rank which is behind all others; nullopt: no rank yet.
    bool hasBegun = false;            ///< A watcher has logged that it records, or a daemon that it runs.
};
/// A target never comes to its end by what is seen of it: that all is there is known when nothing more can come.
State targetStateAfter(State before, const TargetFacts& facts);

/// Facts about a host that may have nothing more to come while others go on.
struct HostFacts {
    bool isWatched = true;  ///< It could be looked at, and has not come to its end before.
    bool hasRanks = false;
    bool isAlone = false;           ///< The capture has no other host.
    bool isJobGone = false;         ///< The processes that were to record run no more, and have left nothing.
    bool isStill = false;           ///< Nothing has changed at the last looks.
    bool isArmed = true;            ///< Its state is State::Armed.
    bool isRefusedForGood = false;  ///< The tool has refused the configuration, and no rank has begun since.
    bool isAsking = false;          ///< The configuration is one that is to be refused.
};
enum class HostEnd { No, Gone, Refused };
HostEnd hostEnd(const HostFacts& facts);

/// Facts about a capture after a look at all targets.
struct CaptureFacts {
    bool isAnyLost = false;    ///< A target could not be reached.
    bool isComplete = false;   ///< All results that are waited for are there.
    bool areJobsOver = false;  ///< Nothing more comes.
    bool isLate = false;       ///< Its phase has lasted as long as it may.
};
enum class Verdict {
    Wait,         ///< For the next look.
    WaitForLost,  ///< As Wait; what is complete on hosts that can be reached is put back meanwhile.
    Finish,       ///< What is there counts.
    FinishLost,   ///< As WaitForLost, then as Finish.
    End           ///< Everything is put back, and judged.
};
Verdict verdictOn(const CaptureFacts& facts);

}  // namespace altiscope::capture
