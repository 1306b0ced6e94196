#include "core/capture/session/capture_run.h"

#include "core/base/text/catalogue.h"
#include "core/capture/session/diagnosis.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/secrets.h"
#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/job.h"

#include <algorithm>
#include <map>
#include <set>

namespace altiscope::capture {

namespace {

/// Looks without any change before missing ranks are given up, once the jobs are over.
constexpr int kOverLooks = 3;
/// Without any change before it is believed that no more ranks come, where nobody says how many there are.
constexpr std::chrono::seconds kSettled(3);
/// Without any change before results of a job that is gone are not waited for any more; longer than anything that they
/// are judged by.
constexpr std::chrono::seconds kLeft(20);
/// After so many events only changes of states are kept.
constexpr std::size_t kMaxMessages = 5000;
/// What torch_npu's watcher logs when it begins (`profiler/dynamic_profile.py`).
constexpr std::string_view kWatcherStarts = "Start Dynamic Profiler at";
constexpr int kMaxFailedRestores = 20;

/// A host is as far as the rank that is behind all others.
State stateOfRanks(const std::vector<RankRecord>& ranks) {
    State state = State::Done;
    for (const RankRecord& rank : ranks) {
        if (!isOver(rank.state)) state = std::min(state, rank.state);
    }
    if (isOver(state) &&
        std::any_of(ranks.begin(), ranks.end(), [](const auto& r) { return r.state == State::Failed; })) {
        return State::Failed;
    }
    return state;
}

/// @param reason  Last line of a traceback; may be empty.
Error goneSentence(const std::string& reason) {
    if (reason.empty()) return Error{"capture.result.job_gone", {}, {}, {}};
    return Error{"capture.result.job_gone_by", {}, {}, {{"line", withoutSecrets(reason)}}};
}

/// "HOST_PID" of a folder's name.
std::string_view workerOf(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1), worker = name.substr(0, name.rfind("_ascend_"));
    return worker.substr(0, worker.rfind('_'));
}

}  // namespace

bool CaptureRun::isCalled() const {
    const Method* method = findMethod(m_record.method);
    return method != nullptr && method->medium == Medium::Service && m_record.launch.empty();
}

void CaptureRun::noteOnce(std::size_t index, std::string& last, const std::string& line, const char* code) {
    if (line.empty() || line == last || m_record.events.size() > kMaxMessages) return;
    last = line;
    note(index, {}, m_record.targets[index].state, Error{code, {}, {}, {{"line", withoutSecrets(line)}}});
}

void CaptureRun::takeRanks(std::size_t index, std::vector<RankRecord> ranks) {
    TargetRecord& target = m_record.targets[index];
    for (RankRecord& rank : ranks) {
        const auto before = std::find_if(target.ranks.begin(), target.ranks.end(),
                                         [&rank](const RankRecord& other) { return other.path == rank.path; });
        const bool isKnown = before != target.ranks.end();
        // What was complete once stays so.
        if (isKnown && isOver(before->state)) rank = *before;
        else if (!isKnown || before->state != rank.state || before->rank != rank.rank ||
                 before->message.code != rank.message.code)
            note(index, rank.rank, rank.state, rank.message);
    }
    // What has vanished was not complete; what was stays known.
    for (const RankRecord& before : target.ranks) {
        if (!isOver(before.state)) continue;
        const auto same = [&before](const RankRecord& rank) { return rank.path == before.path; };
        if (std::none_of(ranks.begin(), ranks.end(), same)) ranks.push_back(before);
    }
    target.ranks = std::move(ranks);
    if (target.ranks.empty()) return;
    const State state = stateOfRanks(target.ranks);
    // That all is there is known only when nothing more can come.
    target.state = isOver(state) ? std::max(target.state, State::Analysing) : state;
}

void CaptureRun::takeListing(std::size_t index, const Listing& listing) {
    TargetRecord& target = m_record.targets[index];
    Watched& watched = m_watched[index];
    if (std::exchange(watched.isLost, false))
        note(index, {}, target.state, Error{"capture.event.connected", {}, {}, {}});
    if (listing.jobStatus) {
        // The service that was called goes on writing.
        const bool mayWrite =
            *listing.jobStatus == 0 && isCalled() && !watched.results.stable().lasts(kOverLooks, kLeft);
        watched.job = mayWrite ? JobState::Runs : *listing.jobStatus == 0 ? JobState::EndedWell : JobState::Failed;
        watched.jobStatus = *listing.jobStatus;
    } else if (listing.isJobGone) {
        watched.job = JobState::Failed;
        watched.jobStatus = -1;
    } else if (!target.jobFolder.empty()) {
        watched.job = JobState::Runs;
    }
    noteOnce(index, watched.logLine, listing.logLine, "capture.event.log");
    noteOnce(index, watched.watcherLine, listing.watcherLine, "capture.event.watcher");
    if (target.isConfigChanged && listing.isConfigChanged && !std::exchange(watched.isConfigForeign, true)) {
        note(index, {}, target.state, Error{"capture.event.config_foreign", target.config, {}, {}});
    }
    if (listing.isConfigEnded) watched.job = JobState::EndedWell;
    if (std::exchange(watched.hasFollowed, false))
        note(index, {}, State::Armed, Error{"capture.event.follower", target.config, {}, {}});
    // First whether the job is over, for that is what its files are judged by.
    takeProcesses(index, listing);
    takeDaemon(index);
    takeSteps(index, listing);
    takeRanks(index, watched.results.look(listing, m_record.kind, m_record.analysis, watched.job));
    if (watched.followerProblem) return failFollower(index, *watched.followerProblem);
    if (!target.ranks.empty()) return;
    if (target.state == State::Armed && listing.watcherLine.find(kWatcherStarts) != std::string::npos) {
        target.state = State::Recording;
        note(index, {}, State::Recording);
    }
    if (target.state == State::Armed) diagnose(index, listing);
}

void CaptureRun::takeSteps(std::size_t index, const Listing& listing) {
    TargetRecord& target = m_record.targets[index];
    Watched& watched = m_watched[index];
    // What was said last is no news of a job that has ended, or of a daemon that does not answer.
    const bool isOnItsWay = target.state == State::Armed || target.state == State::Recording;
    if (!isOnItsWay || watched.isJobGone || watched.daemonProblem || watched.job == JobState::EndedWell ||
        watched.job == JobState::Failed) {
        target.steps = {};
        return;
    }
    std::optional<Error> sentence;
    if (watched.daemon) {
        // Its steps are those of a trace, which with a monitor is somebody else's.
        if (m_record.kind != ResultKind::Monitored) sentence = stepSentence(*watched.daemon);
    } else {
        // Other output hides for a moment what the job prints of its iterations.
        if (listing.iteration.empty()) return;
        if (!watched.steps) {
            const auto settings = settingsOf(m_record, target);
            watched.steps.emplace(settings ? recordedSteps(*settings) : std::nullopt);
        }
        if (*watched.steps && !isAsking()) {
            RecordedSteps steps = **watched.steps;
            if (m_record.isStepOwn) steps.printed = PrintedSteps::OwnCount;
            sentence = stepSentence(listing.iteration, steps);
        }
    }
    target.steps = sentence.value_or(Error{});
    // The step changes too often for a message each.
    if (target.steps.code.empty() || target.steps.code == watched.notedSteps || m_record.events.size() > kMaxMessages) {
        return;
    }
    watched.notedSteps = target.steps.code;
    note(index, {}, target.state, target.steps);
}

void CaptureRun::takeContained(std::size_t index, Listing& listing) const {
    for (ListedResult& result : listing.results) {
        const auto& ranks = m_record.targets[index].ranks;
        // What a process has written last may be seen only after its end: its other results have its name, too.
        const auto before = std::find_if(ranks.begin(), ranks.end(), [&result](const RankRecord& rank) {
            return rank.process != 0 && workerOf(rank.path) == workerOf(result.path);
        });
        // One that was seen once, and is not there any more, has ended.
        if (before == ranks.end()) continue;
        result.isProcessGone = result.isProcessGone || result.process == 0;
        result.process = before->process;
    }
}

void CaptureRun::takeProcesses(std::size_t index, const Listing& listing) {
    TargetRecord& target = m_record.targets[index];
    Watched& watched = m_watched[index];
    if (!target.jobFolder.empty()) return;
    // The same number may be another process where the job's own is one of a container.
    if (target.processes.empty()) {
        for (const Watcher& watcher : listing.watchers) {
            if (watcher.hasLogOpen) target.processes.push_back(watcher.process);
        }
    } else {
        watched.isJobGone = listing.processes.empty();
    }
    // One that has not begun to look, or was never seen, may still come; unless all that came is of processes that are
    // gone. What these have left may still be analysed by others that nobody knows.
    if (target.processes.empty()) {
        const auto isGone = [](const ListedResult& result) { return result.isProcessGone; };
        watched.isLeft = !listing.results.empty() && watched.results.stable().lasts(kOverLooks, kLeft) &&
                         std::all_of(listing.results.begin(), listing.results.end(), isGone);
        if (m_record.kind == ResultKind::Folders) watched.job = watched.isLeft ? JobState::Failed : JobState::Unknown;
        return;
    }
    if (listing.results.empty() && target.ranks.empty()) {
        watched.job = watched.isJobGone ? JobState::Failed : JobState::Runs;
        return;
    }
    // What it has left may still be analysed by processes that nobody knows.
    const bool isLeft = watched.isJobGone && watched.results.stable().lasts(kOverLooks, kLeft);
    watched.job = isLeft ? JobState::Failed : JobState::Unknown;
}

void CaptureRun::diagnose(std::size_t index, const Listing& listing) {
    const TargetRecord& target = m_record.targets[index];
    const Method* method = actingMethod(index);
    if (method == nullptr || method->trigger != Trigger::Edit || !target.isConfigChanged) return;
    const auto time =
        std::chrono::duration_cast<std::chrono::seconds>(std::chrono::nanoseconds(nowNs() - m_record.started));
    Listing own = listing;
    const auto& earlier = m_watched[index].earlierLines;
    for (std::string* line : {&own.watcherLine, &own.logLine}) {
        if (earlier.contains(*line)) line->clear();
    }
    const auto cause = diagnosis(own, {.config = target.config,
                                       .isLogged = method->watchedBy == JobFramework::Torch,
                                       .expectedRanks = m_record.expectedRanks,
                                       .time = time});
    auto& refused = m_watched[index].refused;
    if (cause && cause->code == "capture.diagnosis.step_over" && !refused) refused = std::chrono::steady_clock::now();
    // One that was to be refused has done its work.
    if (isAsking()) return;
    if (!cause || std::exchange(m_watched[index].diagnosis, cause->code) == cause->code) return;
    note(index, {}, target.state, *cause);
}

void CaptureRun::dropShared(std::vector<std::optional<Result<Listing>>>& listings) {
    // Who has shown a result first keeps it: the next look may find it with another one as well.
    std::map<std::string, std::size_t> owners;
    for (std::size_t i = 0; i < listings.size(); ++i) {
        for (const RankRecord& rank : m_record.targets[i].ranks) owners.emplace(rank.path, i);
    }
    for (std::size_t i = 0; i < listings.size(); ++i) {
        if (!listings[i]->ok()) continue;
        auto& results = listings[i]->value().results;
        const auto isOthers = [&](const ListedResult& result) {
            return owners.emplace(result.path, i).first->second != i;
        };
        if (std::erase_if(results, isOthers) > 0 && !std::exchange(m_watched[i].isShared, true))
            note(i, {}, m_record.targets[i].state, Error{"capture.event.shared", m_record.targets[i].results, {}, {}});
    }
}

bool CaptureRun::areJobsOver() const {
    // Nothing more is expected of those that have come to their end before.
    bool anyJob = std::all_of(m_record.targets.begin(), m_record.targets.end(),
                              [](const TargetRecord& target) { return target.isSettled; });
    const bool anyLeft =
        std::any_of(m_watched.begin(), m_watched.end(), [](const Watched& watched) { return watched.isLeft; });
    for (std::size_t i = 0; i < m_watched.size(); ++i) {
        const JobState job = m_watched[i].job;
        if (m_record.targets[i].isSettled) continue;
        if (job == JobState::Runs || m_watched[i].isLost) return false;
        // That one host has only results of processes that are gone says nothing of another one.
        const bool hasOrMustHave =
            !m_record.targets[i].ranks.empty() || (m_record.expectedRanks.empty() && !m_watched[i].isShared);
        if (anyLeft && job == JobState::Unknown && hasOrMustHave) return false;
        anyJob = anyJob || job != JobState::Unknown;
        if (!m_watched[i].results.stable().lasts(kOverLooks)) return false;
    }
    return anyJob;
}

bool CaptureRun::isComplete(bool areJobsOver) const {
    const auto awaited = awaitedRanks(areJobsOver);
    std::int64_t found = 0;
    bool allNumbered = true, allStable = true;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& target = m_record.targets[i];
        found += static_cast<std::int64_t>(target.ranks.size());
        if (target.isSettled) continue;
        for (const RankRecord& rank : target.ranks) {
            if (!isOver(rank.state)) return false;
            allNumbered = allNumbered && rank.rank;
        }
        if (target.ranks.empty() && awaited.empty() && !m_watched[i].isShared) return false;
        allStable = allStable && m_watched[i].results.stable().lasts(kOverLooks, kSettled);
    }
    // As many as come: which one is the last, only the end of the job says.
    if (m_record.resultsPerRank == 0 && !areJobsOver) return false;
    const std::int64_t each = std::max(m_record.resultsPerRank, std::int64_t{1});
    // Stages may lie minutes apart: that nothing changes says nothing before each rank has all of its results.
    const auto ranks = resultsOfRanks(areJobsOver);
    const auto hasAll = [each](const auto& rank) { return rank.second >= each; };
    if (awaited.empty() || !allNumbered) {
        const auto expected = static_cast<std::int64_t>(awaited.size());
        return found > 0 && found >= std::max(expected, std::int64_t{1}) * each && (allStable || areJobsOver) &&
               (!allNumbered || std::all_of(ranks.begin(), ranks.end(), hasAll));
    }
    return std::all_of(ranks.begin(), ranks.end(), hasAll);
}

std::vector<std::int64_t> CaptureRun::awaitedRanks(bool areJobsOver) const {
    std::vector<std::int64_t> awaited = m_record.expectedRanks;
    std::set<std::int64_t> running, lost, found;
    bool areKnown = true;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& target = m_record.targets[i];
        for (const std::int64_t rank : target.runningRanks) {
            const bool has = std::any_of(target.ranks.begin(), target.ranks.end(),
                                         [rank](const RankRecord& one) { return one.rank == rank; });
            (target.isSettled && !has ? lost : running).insert(rank);
        }
        areKnown = areKnown && (!target.runningRanks.empty() || m_watched[i].isShared);
        for (const RankRecord& rank : target.ranks) {
            if (rank.rank) found.insert(*rank.rank);
        }
        // Which of them would have come from there nobody knows: what came from others counts.
        if (target.isSettled && target.runningRanks.empty() && target.ranks.empty()) return {};
    }
    std::erase_if(awaited, [&lost](std::int64_t rank) { return lost.contains(rank); });
    if (!m_record.areRanksStandard) return awaited;
    // The tool's own list names ranks whether the job has them or not.
    for (const Watched& watched : m_watched) {
        if (watched.ranks > 0) std::erase_if(awaited, [&](std::int64_t rank) { return rank >= watched.ranks; });
    }
    if (areKnown) std::erase_if(awaited, [&running](std::int64_t rank) { return !running.contains(rank); });
    else if (areJobsOver && !found.empty() && *found.rbegin() + 1 == static_cast<std::int64_t>(found.size()))
        std::erase_if(awaited, [&found](std::int64_t rank) { return rank > *found.rbegin(); });
    return awaited;
}

std::map<std::int64_t, std::int64_t> CaptureRun::resultsOfRanks(bool areJobsOver) const {
    std::map<std::int64_t, std::int64_t> ranks;
    for (const std::int64_t rank : awaitedRanks(areJobsOver)) ranks[rank] = 0;
    for (const TargetRecord& target : m_record.targets) {
        for (const RankRecord& rank : target.ranks) {
            // Others than were chosen are welcome, and not waited for.
            if (rank.rank && (m_record.expectedRanks.empty() || ranks.contains(*rank.rank))) ++ranks[*rank.rank];
        }
    }
    return ranks;
}

void CaptureRun::finishTarget(std::size_t index, const Error& reason) {
    TargetRecord& target = m_record.targets[index];
    const Watched& watched = m_watched[index];
    target.steps = {};
    target.state = target.ranks.empty() ? State::Failed : stateOfRanks(target.ranks);
    Error message;
    if (!reason.code.empty() && target.ranks.empty()) {
        target.state = State::Failed;
        message = reason;
    } else if (target.ranks.empty() && (watched.isShared || !m_record.expectedRanks.empty()) &&
               m_record.targets.size() > 1 && watched.job != JobState::Failed) {
        target.state = State::Done;  // its ranks are none of those that record, or lie where another one sees them
    } else if (target.ranks.empty() && watched.isJobGone && target.jobFolder.empty()) {
        message = goneSentence(watched.reason);
    } else if (target.ranks.empty()) {
        // The end of a traceback is the reason, whatever was printed since.
        const std::string& line = watched.reason.empty() ? watched.logLine : watched.reason;
        message = Error{"capture.result.nothing",
                        {},
                        {},
                        {{"status", std::to_string(watched.jobStatus)}, {"line", withoutSecrets(line)}}};
    }
    note(index, {}, target.state, message);
}

void CaptureRun::noteMissing(bool areJobsOver) {
    const std::int64_t each = std::max(m_record.resultsPerRank, std::int64_t{1});
    for (const auto& [rank, results] : resultsOfRanks(areJobsOver)) {
        if (results >= each) continue;
        Error missing{"capture.result.rank_missing", {}, {}, {}};
        if (results > 0) {
            missing = {"capture.result.some_missing",
                       {},
                       {},
                       {{"found", std::to_string(results)}, {"expected", std::to_string(each)}}};
        }
        // Of one without any result nobody knows where it is.
        const auto has = [number = rank](const TargetRecord& target) {
            return std::any_of(target.ranks.begin(), target.ranks.end(),
                               [number](const RankRecord& one) { return one.rank == number; });
        };
        const auto where = std::find_if(m_record.targets.begin(), m_record.targets.end(), has);
        const bool isKnown = where != m_record.targets.end();
        note(isKnown ? static_cast<std::size_t>(where - m_record.targets.begin()) : 0, rank, State::Failed, missing);
    }
}

Result<bool> CaptureRun::poll() {
    if (isOver(m_record.state)) return false;
    std::vector<std::optional<Result<Listing>>> listings(m_record.targets.size());
    const Method* method = findMethod(m_record.method);
    const bool isRequest = method != nullptr && method->medium == Medium::Request;
    // One after the other: each change is saved before it is made.
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        if (m_record.targets[i].follower.empty() || !shell(i).ok()) continue;
        if (const auto armed = armFollower(i); armed.cancelled()) return Cancelled{};
    }
    const auto looked = onTargets([&](std::size_t i) -> Result<Done> {
        const TargetRecord& target = m_record.targets[i];
        if (m_record.targets[i].isSettled) return listings[i].emplace(Listing{}), Done{};
        const auto opened = shell(i);
        if (!opened.ok()) listings[i].emplace(opened.template as<Listing>());
        else
            listings[i].emplace(
                listResults(*opened.value(), {.results = target.results,
                                              .kind = m_record.kind,
                                              .jobFolder = target.jobFolder,
                                              .config = target.isConfigChanged ? target.config : std::string(),
                                              .known = target.known,
                                              .wantsWatchers = target.isConfigChanged && target.ranks.empty(),
                                              .processes = target.processes,
                                              .logs = target.logs,
                                              .horizon = target.horizon}));
        if (isRequest && listings[i]->ok()) queryDaemon(i);
        if (listings[i]->ok()) lookAtOutput(i, listings[i]->value());
        return listings[i]->cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
    });
    if (!looked.ok()) return looked.as<bool>();
    dropShared(listings);
    for (std::size_t i = 0; i < listings.size(); ++i) {
        if (listings[i]->ok()) takeContained(i, listings[i]->value());
    }
    bool anyLost = false;
    for (std::size_t i = 0; i < listings.size(); ++i) {
        if (m_record.targets[i].isSettled) continue;
        if (listings[i]->ok()) {
            takeListing(i, listings[i]->value());
            continue;
        }
        anyLost = true;
        m_record.targets[i].steps = {};
        if (!std::exchange(m_watched[i].isLost, true)) {
            note(i, {}, m_record.targets[i].state,
                 Error{"capture.event.connection_lost", {}, {}, {{"reason", errorText(listings[i]->error(), "en")}}});
        }
    }
    if (const auto corrected = correctStep(); !corrected.ok()) return corrected;
    settleHosts();
    const bool over = areJobsOver(), complete = isComplete(over);
    if (!anyLost && (complete || over)) {
        // The job has read the file; whatever becomes of the results, it is put back first.
        const auto restored = restoreConfigs();
        if (restored.cancelled()) return Cancelled{};
        if (!restored.ok() && ++m_failedRestores < kMaxFailedRestores) return true;
        if (!restored.ok()) note(0, {}, m_record.targets[0].state, restored.error());
        for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
            if (!m_record.targets[i].isSettled) finishTarget(i);
        }
        const bool good = complete && restored.ok() &&
                          std::all_of(m_record.targets.begin(), m_record.targets.end(),
                                      [](const TargetRecord& target) { return target.state == State::Done; });
        if (!complete) noteMissing(over);
        setState(good ? State::Done : State::Failed);
        compareSteps();
    } else {
        State state = State::Analysing;
        for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
            if (!m_record.targets[i].isSettled) state = std::min(state, m_record.targets[i].state);
        }
        setState(state);
        if (anyLost) putBackComplete();
        if (const auto late = lateSentence()) {
            if (const auto done = finish(*late); !done.ok()) return done.as<bool>();
            return false;
        }
    }
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    return !isOver(m_record.state);
}

}  // namespace altiscope::capture
