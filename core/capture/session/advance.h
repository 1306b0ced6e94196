#pragma once

#include "core/capture/session/observation.h"
#include "core/capture/session/progress.h"

#include <array>
#include <cstddef>
#include <string>
#include <vector>

namespace altiscope::capture {

// A poll has three steps: CaptureRun::observe() looks at all targets, the functions here advance the record by what was
// seen and say what is to be done, CaptureRun::act() does it. Nothing here reaches a target, a file or a clock: the
// same progress and the same observations always yield the same. README.md has a picture.

/// Something to be done on targets.
struct Action {
    enum class Kind {
        EndHost,       ///< Puts the configuration of `target` back, and ends that host for `reason`.
        PutBack,       ///< Puts the configuration of `target` back; its recording is complete.
        WriteConfigs,  ///< Writes all configurations that are due.
        Finish,        ///< Ends the capture with what is there, for `reason`.
        End            ///< Puts everything back and ends the capture.
    };
    Kind kind = Kind::End;
    std::size_t target = 0;
    Error reason = {};
};
using Actions = std::vector<Action>;

/// Adds to the record and its events what a look has found.
/// @param observations  One for each target; those of targets that have come to their end are not read.
/// @return Ends of hosts whose second file cannot be changed.
Actions applyObservations(Progress& progress, std::vector<Observation> observations);

/// Configurations that could not be written before.
Actions dueConfigs(Progress& progress);
/// Where the tool counts steps otherwise than the job prints them: computes the common start step anew, by the tool's
/// own count, which it is made to say by a step that is over.
Actions correctStep(Progress& progress);
/// Hosts that nothing more can come from, while others go on.
Actions endHosts(Progress& progress);
/// Whether the capture ends, and its state if it does not.
Actions judgeCapture(Progress& progress);

/// The decisions of a poll in their order: each sees what came of the actions of those before it.
inline constexpr std::array<Actions (*)(Progress&), 4> kDecisions{dueConfigs, correctStep, endHosts, judgeCapture};

/// A start step for all hosts that is written next: forgets what was said of the one before.
void requestStep(Progress& progress, std::int64_t step);

// Results of actions.

/// Ends a host.
/// @param reason  Why, where it has no results; without a code: as its job says.
void endHost(Progress& progress, std::size_t target, const Error& reason = {});

/// Ends a capture of which everything was put back, or not, after Action::Kind::End.
/// @param problem  Why some of it could not be put back; the next poll tries it again, for some time.
void endCapture(Progress& progress, const std::optional<Error>& problem);

/// Ends a capture that is not waited for any more.
/// @param isPutBack  Everything was put back, and nothing goes on.
void finishCapture(Progress& progress, bool isPutBack);

/// Whether all ranks recorded the same steps, once they are known.
void compareSteps(Progress& progress);

}  // namespace altiscope::capture
