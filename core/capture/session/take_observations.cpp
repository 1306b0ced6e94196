#include "core/base/text/catalogue.h"
#include "core/capture/methods/method.h"
#include "core/capture/session/advance.h"
#include "core/capture/session/advance_steps.h"
#include "core/capture/session/completeness.h"
#include "core/capture/session/diagnosis.h"
#include "core/capture/session/state_table.h"

#include <algorithm>
#include <chrono>
#include <map>
#include <utility>

namespace altiscope::capture {

namespace {

/// Without any change before results of a job that is gone are not waited for any more; longer than anything that they
/// are judged by.
constexpr std::chrono::seconds kLeft(20);
/// A line that torch_npu's watcher logs when it begins (`profiler/dynamic_profile.py`).
constexpr std::string_view kWatcherStarts = "Start Dynamic Profiler at";

/// "HOST_PID" of a folder's name.
std::string_view workerOf(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1), worker = name.substr(0, name.rfind("_ascend_"));
    return worker.substr(0, worker.rfind('_'));
}

/// Whether the job that was started only calls a service that ran before.
bool isCall(const CaptureRecord& record) {
    const Method* method = findMethod(record.method);
    return method != nullptr && method->medium == Medium::Service && record.launch.empty();
}

/// The method whose file stands there now: of one with a second file that one, once it has been changed.
const Method* actingMethod(const CaptureRecord& record, std::size_t index) {
    const Method* method = findMethod(record.method);
    const bool isFollowed = method != nullptr && !method->followedBy.empty() && record.targets[index].follower.empty();
    return isFollowed ? findMethod(method->followedBy) : method;
}

/// Results on a disk that targets share belong to the first of them.
void dropShared(Progress& progress, std::vector<Observation>& observations) {
    // Who has shown a result first keeps it: the next look may find it with another one as well.
    std::map<std::string, std::size_t> owners;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        for (const RankRecord& rank : progress.record.targets[i].ranks) owners.emplace(rank.path, i);
    }
    for (std::size_t i = 0; i < observations.size(); ++i) {
        if (!observations[i].listing.ok()) continue;
        const auto isOthers = [&](const ListedResult& result) {
            return owners.emplace(result.path, i).first->second != i;
        };
        const TargetRecord& target = progress.record.targets[i];
        if (std::erase_if(observations[i].listing.value().results, isOthers) > 0 &&
            !std::exchange(progress.watches[i].isShared, true))
            note(progress, i, {}, target.state, Error{"capture.event.shared", target.results, {}, {}});
    }
}

/// Whether processes in containers that results are named after still run.
void takeContained(const TargetRecord& target, Listing& listing) {
    for (ListedResult& result : listing.results) {
        // The last file of a process may be seen only after its end: its other results have its name, too.
        const auto before = std::find_if(target.ranks.begin(), target.ranks.end(), [&result](const RankRecord& rank) {
            return rank.process != 0 && workerOf(rank.path) == workerOf(result.path);
        });
        // One that was seen once, and is not there any more, has ended.
        if (before == target.ranks.end()) continue;
        result.isProcessGone = result.isProcessGone || result.process == 0;
        result.process = before->process;
    }
}

/// Whether the job still runs, as far as that can be seen.
void takeJob(Progress& progress, std::size_t index, const Listing& listing) {
    TargetRecord& target = progress.record.targets[index];
    TargetWatch& watch = progress.watches[index];
    const bool isOurs = !target.jobFolder.empty();
    if (listing.jobStatus) watch.jobStatus = *listing.jobStatus;
    else if (listing.isJobGone) watch.jobStatus = -1;
    // The same number may be another process where the job's own is one of a container.
    if (!isOurs && target.processes.empty()) {
        for (const Watcher& watcher : listing.watchers) {
            if (watcher.hasLogOpen) target.processes.push_back(watcher.process);
        }
    } else if (!isOurs) {
        watch.isJobGone = listing.processes.empty();
    }
    const auto isGone = [](const ListedResult& result) { return result.isProcessGone; };
    const bool areOrphaned =
        !listing.results.empty() && std::all_of(listing.results.begin(), listing.results.end(), isGone);
    const bool areStill = watch.results.stable().lasts(kOverLooks, kLeft, progress.now.steady);
    if (!isOurs && target.processes.empty()) watch.isLeft = areOrphaned && areStill;
    std::optional<bool> isMonitorOn;
    // The state that a job has reported last stands, also after its end.
    if (watch.daemon && progress.record.kind == ResultKind::Monitored)
        isMonitorOn = watch.daemon->monitor == "Running" && !watch.isJobGone;
    watch.job = jobStateAfter({.before = watch.job,
                               .isOurs = isOurs,
                               .status = listing.jobStatus,
                               .hasVanished = listing.isJobGone,
                               .isCall = isCall(progress.record),
                               .isConfigEnded = listing.isConfigEnded,
                               .areProcessesKnown = !target.processes.empty(),
                               .areProcessesGone = watch.isJobGone,
                               .areResultsOrphaned = areOrphaned,
                               .hasResults = !listing.results.empty() || !target.ranks.empty(),
                               .areResultsStill = areStill,
                               .kind = progress.record.kind,
                               .isMonitorOn = isMonitorOn,
                               .hasMonitored = watch.hasRun || !target.ranks.empty()});
}

/// The state of a target once a rank, a watcher or a daemon has begun, with an event unless ranks have their own.
void enterState(Progress& progress, std::size_t index, const TargetFacts& facts) {
    TargetRecord& target = progress.record.targets[index];
    const State state = targetStateAfter(target.state, facts);
    if (!facts.ranks && state != target.state) note(progress, index, {}, state);
    target.state = state;
}

void takeDaemon(Progress& progress, std::size_t index) {
    const TargetRecord& target = progress.record.targets[index];
    TargetWatch& watch = progress.watches[index];
    // One that is not there for a moment, or for good: said once, and again after it was there.
    const std::string fault = watch.daemonProblem ? watch.daemonProblem->code : std::string();
    if (fault != std::exchange(watch.daemonFault, fault) && !fault.empty())
        note(progress, index, {}, target.state, *watch.daemonProblem);
    if (!watch.daemon) return;
    const DaemonStatus& status = *watch.daemon;
    const std::string& state = progress.record.kind == ResultKind::Monitored ? status.monitor : status.trace;
    std::string line = state;
    // The step changes too often for a message each.
    if (state == "Ready" && !status.start.empty()) line += ", starts at step " + status.start;
    noteOnce(progress, index, watch.daemonLine, line, "capture.event.daemon");
    const bool runs = state == "Running" && !watch.isJobGone;
    watch.hasRun = watch.hasRun || runs;
    enterState(progress, index, {.hasBegun = runs});
}

void takeRanks(Progress& progress, std::size_t index, std::vector<RankRecord> ranks) {
    TargetRecord& target = progress.record.targets[index];
    for (RankRecord& rank : ranks) {
        const auto before = std::find_if(target.ranks.begin(), target.ranks.end(),
                                         [&rank](const RankRecord& other) { return other.path == rank.path; });
        const bool isKnown = before != target.ranks.end();
        // A rank that was complete once stays so.
        if (isKnown && isOver(before->state)) rank = *before;
        else if (!isKnown || before->state != rank.state || before->rank != rank.rank ||
                 before->message.code != rank.message.code)
            note(progress, index, rank.rank, rank.state, rank.message);
    }
    // One that has vanished was not complete; one that was stays known.
    for (const RankRecord& before : target.ranks) {
        if (!isOver(before.state)) continue;
        const auto same = [&before](const RankRecord& rank) { return rank.path == before.path; };
        if (std::none_of(ranks.begin(), ranks.end(), same)) ranks.push_back(before);
    }
    target.ranks = std::move(ranks);
    if (!target.ranks.empty()) enterState(progress, index, {.ranks = stateOfRanks(target.ranks)});
}

/// Why a changed configuration has had no effect so far.
void diagnose(Progress& progress, std::size_t index, const Listing& listing) {
    const TargetRecord& target = progress.record.targets[index];
    TargetWatch& watch = progress.watches[index];
    const Method* method = actingMethod(progress.record, index);
    if (method == nullptr || method->trigger != Trigger::Edit || !target.isConfigChanged) return;
    const auto time = std::chrono::duration_cast<std::chrono::seconds>(
        std::chrono::nanoseconds(progress.now.ns - progress.record.started));
    Listing own = listing;
    for (std::string* line : {&own.watcherLine, &own.logLine}) {
        if (isEarlier(target, *line)) line->clear();
    }
    const auto cause = diagnosis(own, {.config = target.config,
                                       .isLogged = method->watchedBy == JobFramework::Torch,
                                       .expectedRanks = progress.record.expectedRanks,
                                       .time = time});
    if (cause && cause->code == "capture.diagnosis.step_over" && !watch.refused) watch.refused = progress.now.steady;
    // One that was to be refused has done its work.
    if (isAsking(progress.record)) return;
    if (!cause || std::exchange(watch.diagnosis, cause->code) == cause->code) return;
    note(progress, index, {}, target.state, *cause);
}

/// A look at a target that could be reached.
void takeTarget(Progress& progress, std::size_t index, const Observation& seen) {
    const Listing& listing = seen.listing.value();
    TargetRecord& target = progress.record.targets[index];
    TargetWatch& watch = progress.watches[index];
    if (std::exchange(watch.isLost, false))
        note(progress, index, {}, target.state, Error{"capture.event.connected", {}, {}, {}});
    noteOnce(progress, index, watch.logLine, listing.logLine, "capture.event.log");
    noteOnce(progress, index, watch.watcherLine, listing.watcherLine, "capture.event.watcher");
    if (target.isConfigChanged && listing.isConfigChanged && !std::exchange(watch.isConfigForeign, true))
        note(progress, index, {}, target.state, Error{"capture.event.config_foreign", target.config, {}, {}});
    if (seen.hasFollowed)
        note(progress, index, {}, State::Armed, Error{"capture.event.follower", target.config, {}, {}});
    if (seen.daemon) {
        if (seen.daemon->ok()) watch.daemon = seen.daemon->value();
        watch.daemonProblem = seen.daemon->failed() ? std::optional(seen.daemon->error()) : std::nullopt;
    }
    // First whether the job is over, for that is what its files are judged by.
    takeJob(progress, index, listing);
    takeDaemon(progress, index);
    applySteps(progress, index, listing);
    takeRanks(
        progress, index,
        watch.results.look(listing, progress.record.kind, progress.record.analysis, watch.job, progress.now.steady));
    if (seen.followerProblem || !target.ranks.empty()) return;
    enterState(progress, index, {.hasBegun = listing.watcherLine.find(kWatcherStarts) != std::string::npos});
    if (target.state == State::Armed) diagnose(progress, index, listing);
}

void takeLoss(Progress& progress, std::size_t index, const Error& problem) {
    TargetRecord& target = progress.record.targets[index];
    target.steps = {};
    if (std::exchange(progress.watches[index].isLost, true)) return;
    note(progress, index, {}, target.state,
         Error{"capture.event.connection_lost", {}, {}, {{"reason", errorText(problem, "en")}}});
}

}  // namespace

Actions applyObservations(Progress& progress, std::vector<Observation> observations) {
    for (std::size_t i = 0; i < observations.size(); ++i) {
        if (observations[i].listing.ok() && !progress.record.targets[i].isSettled)
            applyOutput(progress, i, observations[i]);
    }
    dropShared(progress, observations);
    Actions actions;
    for (std::size_t i = 0; i < observations.size(); ++i) {
        const TargetRecord& target = progress.record.targets[i];
        if (target.isSettled) continue;
        Observation& seen = observations[i];
        if (!seen.listing.ok()) {
            takeLoss(progress, i, seen.listing.error());
            continue;
        }
        takeContained(target, seen.listing.value());
        takeTarget(progress, i, seen);
        if (!seen.followerProblem) continue;
        // Results that it has nevertheless do not say it.
        if (!target.ranks.empty()) note(progress, i, {}, State::Failed, *seen.followerProblem);
        actions.push_back({Action::Kind::EndHost, i, *seen.followerProblem});
    }
    return actions;
}

}  // namespace altiscope::capture
