#include "core/capture/session/state_table.h"

#include <algorithm>
#include <iterator>

namespace altiscope::capture {

namespace {

/// One row of a table: where it applies, `result` counts.
template <class Facts, class Outcome>
struct StateRow {
    bool (*applies)(const Facts&);
    Outcome result;
};

template <class Facts, class Outcome, std::size_t N>
Outcome firstRow(const StateRow<Facts, Outcome> (&rows)[N], const Facts& facts, Outcome otherwise) {
    const auto row =
        std::find_if(std::begin(rows), std::end(rows), [&](const auto& one) { return one.applies(facts); });
    return row == std::end(rows) ? otherwise : row->result;
}

using Job = JobFacts;
constexpr StateRow<Job, JobState> kJobRows[] = {
    // The files of a monitor grow without a mark of their end: its daemon says it.
    {[](const Job& f) { return f.isMonitorOn.value_or(false); }, JobState::Runs},
    {[](const Job& f) { return f.isMonitorOn && f.hasMonitored; }, JobState::EndedWell},
    {[](const Job& f) { return f.isMonitorOn && f.areProcessesGone; }, JobState::Failed},

    // Not started from here, by processes that nobody knows: one that has not begun to look may still come, unless
    // all that came is of processes that are gone. Other kinds of results say themselves that they are complete.
    {[](const Job& f) {
         return !f.isOurs && !f.areProcessesKnown && f.kind == ResultKind::Folders && f.areResultsOrphaned &&
                f.areResultsStill;
     },
     JobState::Failed},
    {[](const Job& f) { return !f.isOurs && !f.areProcessesKnown && f.kind == ResultKind::Folders; },
     JobState::Unknown},

    // Not started from here, by processes that are known. What they have left may still be analysed by others.
    {[](const Job& f) { return !f.isOurs && f.areProcessesKnown && !f.hasResults && f.areProcessesGone; },
     JobState::Failed},
    {[](const Job& f) { return !f.isOurs && f.areProcessesKnown && !f.hasResults; }, JobState::Runs},
    {[](const Job& f) { return !f.isOurs && f.areProcessesKnown && f.areProcessesGone && f.areResultsStill; },
     JobState::Failed},
    {[](const Job& f) { return !f.isOurs && f.areProcessesKnown; }, JobState::Unknown},

    {[](const Job& f) { return f.isConfigEnded; }, JobState::EndedWell},

    // Started from here. A service that was called goes on writing.
    {[](const Job& f) { return f.status == 0 && f.isCall && !f.areResultsStill; }, JobState::Runs},
    {[](const Job& f) { return f.status == 0; }, JobState::EndedWell},
    {[](const Job& f) { return f.status || f.hasVanished; }, JobState::Failed},
    {[](const Job& f) { return f.isOurs; }, JobState::Runs},
};

constexpr StateRow<HostFacts, HostEnd> kHostRows[] = {
    {[](const HostFacts& f) { return !f.isWatched || f.hasRanks; }, HostEnd::No},
    {[](const HostFacts& f) { return f.isJobGone && f.isStill && !f.isAlone; }, HostEnd::Gone},
    {[](const HostFacts& f) { return f.isRefusedForGood && f.isArmed && !f.isAsking; }, HostEnd::Refused},
};

constexpr StateRow<CaptureFacts, Verdict> kCaptureRows[] = {
    {[](const CaptureFacts& f) { return (f.isComplete || f.areJobsOver) && !f.isAnyLost; }, Verdict::End},
    {[](const CaptureFacts& f) { return f.isLate && f.isAnyLost; }, Verdict::FinishLost},
    {[](const CaptureFacts& f) { return f.isLate; }, Verdict::Finish},
    {[](const CaptureFacts& f) { return f.isAnyLost; }, Verdict::WaitForLost},
};

}  // namespace

JobState jobStateAfter(const JobFacts& facts) { return firstRow(kJobRows, facts, facts.before); }

State targetStateAfter(State before, const TargetFacts& facts) {
    if (facts.ranks && isOver(*facts.ranks)) return std::max(before, State::Analysing);
    if (facts.ranks) return *facts.ranks;
    return before == State::Armed && facts.hasBegun ? State::Recording : before;
}

HostEnd hostEnd(const HostFacts& facts) { return firstRow(kHostRows, facts, HostEnd::No); }

Verdict verdictOn(const CaptureFacts& facts) { return firstRow(kCaptureRows, facts, Verdict::Wait); }

}  // namespace altiscope::capture
