#include "core/capture/session/advance.h"

#include "core/capture/session/completeness.h"
#include "core/capture/session/secrets.h"
#include "core/capture/session/state_table.h"

#include <algorithm>
#include <chrono>

namespace altiscope::capture {

namespace {

/// Looks without a change, after the first, before a host whose processes are gone has come to its end.
constexpr int kGoneLooks = 1;
/// For so long other ranks of a host may still begin where one has refused the configuration.
constexpr std::chrono::seconds kRefused(5);
/// Looks and time without a change before the results of a host are all that it has.
constexpr int kAllLooks = 3;
constexpr std::chrono::seconds kAllOver(3);
/// Polls that try to put everything back before the capture ends without that.
constexpr int kMaxFailedRestores = 20;

/// @param reason  Last line of a traceback; may be empty.
Error goneSentence(const std::string& reason) {
    if (reason.empty()) return Error{"capture.result.job_gone", {}, {}, {}};
    return Error{"capture.result.job_gone_by", {}, {}, {{"line", withoutSecrets(reason)}}};
}

bool isPhaseOver(const Progress& progress) {
    static constexpr std::int64_t kSecond = 1'000'000'000;
    const CaptureRecord& record = progress.record;
    return record.timeout > 0 && progress.now.ns - record.phaseBegin >= record.timeout * kSecond;
}

/// Files of hosts that have recorded, while others are waited for that cannot be reached now.
Actions completeConfigs(const Progress& progress) {
    Actions actions;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        const bool isHere = !target.isSettled && !progress.watches[i].isLost && target.isConfigChanged &&
                            !target.config.empty() && !target.ranks.empty() && progress.record.resultsPerRank == 1;
        const bool areOver = std::all_of(target.ranks.begin(), target.ranks.end(),
                                         [](const RankRecord& rank) { return isOver(rank.state); });
        const StableSince& stable = progress.watches[i].results.stable();
        if (isHere && areOver && stable.lasts(kAllLooks, kAllOver, progress.now.steady) &&
            ownsConfig(progress.record, i))
            actions.push_back({Action::Kind::PutBack, i, {}});
    }
    return actions;
}

/// The state of a capture that goes on: that of the host which is behind all others.
State stateOfTargets(const CaptureRecord& record) {
    State state = State::Analysing;
    for (const TargetRecord& target : record.targets) {
        if (!target.isSettled) state = std::min(state, target.state);
    }
    return state;
}

/// The end of a target by its ranks, or why it has none.
void concludeTarget(Progress& progress, std::size_t index, const Error& reason = {}) {
    const CaptureRecord& record = progress.record;
    TargetRecord& target = progress.record.targets[index];
    const TargetWatch& watch = progress.watches[index];
    target.steps = {};
    target.state = target.ranks.empty() ? State::Failed : stateOfRanks(target.ranks);
    Error message;
    if (!reason.code.empty() && target.ranks.empty()) {
        target.state = State::Failed;
        message = reason;
    } else if (target.ranks.empty() && (watch.isShared || !record.expectedRanks.empty()) && record.targets.size() > 1 &&
               watch.job != JobState::Failed) {
        target.state = State::Done;  // its ranks are none of those that record, or lie where another one sees them
    } else if (target.ranks.empty() && watch.isJobGone && target.jobFolder.empty()) {
        message = goneSentence(watch.reason);
    } else if (target.ranks.empty()) {
        // The end of a traceback is the reason, whatever was printed since.
        const std::string& line = watch.reason.empty() ? watch.logLine : watch.reason;
        message = Error{"capture.result.nothing",
                        {},
                        {},
                        {{"status", std::to_string(watch.jobStatus)}, {"line", withoutSecrets(line)}}};
    }
    note(progress, index, {}, target.state, message);
}

bool areAllDone(const CaptureRecord& record) {
    return std::all_of(record.targets.begin(), record.targets.end(),
                       [](const TargetRecord& target) { return target.state == State::Done; });
}

}  // namespace

Actions endHosts(Progress& progress) {
    Actions actions;
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        const TargetWatch& watch = progress.watches[i];
        const HostEnd end =
            hostEnd({.isWatched = !target.isSettled && !watch.isLost,
                     .hasRanks = !target.ranks.empty(),
                     .isAlone = progress.record.targets.size() == 1,
                     .isJobGone = watch.isJobGone && watch.job == JobState::Failed && target.jobFolder.empty(),
                     .isStill = watch.results.stable().lasts(kGoneLooks, {}, progress.now.steady),
                     .isArmed = target.state == State::Armed,
                     .isRefusedForGood = watch.refused && progress.now.steady - *watch.refused >= kRefused,
                     .isAsking = isAsking(progress.record)});
        if (end == HostEnd::Gone) actions.push_back({Action::Kind::EndHost, i, {}});
        if (end == HostEnd::Refused)
            actions.push_back({Action::Kind::EndHost, i, Error{"capture.result.refused", {}, {}, {}}});
    }
    return actions;
}

Actions judgeCapture(Progress& progress) {
    CaptureFacts facts;
    for (std::size_t i = 0; i < progress.watches.size(); ++i)
        facts.isAnyLost = facts.isAnyLost || (progress.watches[i].isLost && !progress.record.targets[i].isSettled);
    facts.areJobsOver = areJobsOver(progress);
    facts.isComplete = isComplete(progress, facts.areJobsOver);
    if (verdictOn(facts) == Verdict::End) return {{Action::Kind::End}};
    enter(progress, stateOfTargets(progress.record));
    // Only now, since another state begins another phase.
    facts.isLate = isPhaseOver(progress);
    Actions actions;
    const Verdict verdict = verdictOn(facts);
    if (verdict == Verdict::WaitForLost || verdict == Verdict::FinishLost) actions = completeConfigs(progress);
    if (verdict == Verdict::Finish || verdict == Verdict::FinishLost)
        actions.push_back({Action::Kind::Finish, 0, timeoutSentence(progress.record)});
    return actions;
}

void endHost(Progress& progress, std::size_t index, const Error& reason) {
    progress.record.targets[index].isSettled = true;
    concludeTarget(progress, index, reason);
}

void endCapture(Progress& progress, const std::optional<Error>& problem) {
    if (problem && ++progress.failedRestores < kMaxFailedRestores) return;
    if (problem) note(progress, 0, {}, progress.record.targets[0].state, *problem);
    const bool areOver = areJobsOver(progress), complete = isComplete(progress, areOver);
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        if (!progress.record.targets[i].isSettled) concludeTarget(progress, i);
    }
    if (!complete) noteMissing(progress, areOver);
    enter(progress, complete && !problem && areAllDone(progress.record) ? State::Done : State::Failed);
    compareSteps(progress);
}

void finishCapture(Progress& progress, bool isPutBack) {
    for (std::size_t i = 0; i < progress.record.targets.size(); ++i) {
        TargetRecord& target = progress.record.targets[i];
        for (RankRecord& rank : target.ranks) {
            if (isOver(rank.state)) continue;
            rank.state = State::Failed;
            rank.message = Error{"capture.result.left", {}, {}, {}};
            note(progress, i, rank.rank, rank.state, rank.message);
        }
        if (!target.isSettled) concludeTarget(progress, i, Error{"capture.result.not_yet", {}, {}, {}});
    }
    const bool hasAll = haveAllResults(progress, true);
    if (!hasAll) noteMissing(progress, true);
    enter(progress, isPutBack && hasAll && areAllDone(progress.record) ? State::Done : State::Failed);
    compareSteps(progress);
}

}  // namespace altiscope::capture
