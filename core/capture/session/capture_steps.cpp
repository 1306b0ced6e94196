#include "core/capture/session/capture_run.h"

#include "core/base/values/parse.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/rows.h"
#include "core/capture/session/common_step.h"
#include "core/capture/session/expectation.h"
#include "core/capture/session/prepared.h"
#include "core/capture/session/printed_steps.h"
#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/running_jobs.h"

#include <algorithm>
#include <map>
#include <set>
#include <thread>
#include <utility>

namespace altiscope::capture {

namespace {

using Clock = std::chrono::steady_clock;

/// How long steps are looked at before a common one is computed, and how long it takes until their time is known.
constexpr std::chrono::seconds kLongestLook(15);
constexpr std::chrono::milliseconds kMeasured(1500), kBetween(200);
/// Until lines of steps appear where there are none yet.
constexpr std::chrono::seconds kNoSteps(4);
/// To write a configuration takes up to three seconds where its time must be another one, and a few round trips.
constexpr double kWriting = 3.0, kTrips = 3.0;

double seconds(Clock::duration time) { return std::chrono::duration<double>(time).count(); }

/// "HOST_PID" in the name of a watcher's log: dp_HOST_PID_rank_R.log.
std::string_view workerOfLog(std::string_view path) {
    std::string_view name = path.substr(path.rfind('/') + 1);
    name.remove_prefix(std::min(name.size(), std::string_view("dp_").size()));
    return name.substr(0, name.rfind("_rank_"));
}

/// "HOST_PID" in the name of a result.
std::string_view workerOfResult(std::string_view path) {
    const std::string_view name = path.substr(path.rfind('/') + 1), worker = name.substr(0, name.rfind("_ascend_"));
    return worker.substr(0, worker.rfind('_'));
}

/// Steps of one host over several looks.
class StepWatch {
public:
    void take(const StepSight& sight, Clock::time_point time) {
        m_sight = sight;
        m_looked = time;
        if (!m_begin) m_begin = time;
        if (!sight.step || (m_last && *m_last == *sight.step)) return;
        if (m_last && !m_firstChange) {
            m_firstChange = time;
            m_first = *sight.step;
        }
        m_lastChange = time;
        m_last = sight.step;
        if (!m_at) m_at = *sight.step;
    }
    /// Whether more looks would say nothing new of how long a step takes.
    bool isSettled() const {
        if (!m_sight.step) return !m_sight.isReadable || m_looked - *m_begin >= kNoSteps;
        return m_sight.poll.value_or(0) > 1 || (m_firstChange && m_lastChange - *m_firstChange >= kMeasured);
    }
    StepSight sight() const {
        StepSight sight = m_sight;
        if (!sight.step || !m_last) return sight;
        if (m_firstChange && *m_last > m_first && m_lastChange - *m_firstChange >= kMeasured) {
            sight.stepSeconds = seconds(m_lastChange - *m_firstChange) / static_cast<double>(*m_last - m_first);
        } else {
            // As many as may have passed, or as the tool itself has measured.
            const double atLeast =
                seconds(m_looked - *m_begin) /
                static_cast<double>(std::max<std::int64_t>(*m_last - m_at.value_or(*m_last), 0) + sight.gap);
            sight.stepSeconds = std::max(atLeast, sight.poll.value_or(0) > 1 ? static_cast<double>(*sight.poll) : 0.0);
        }
        return sight;
    }

private:
    StepSight m_sight;
    std::optional<Clock::time_point> m_begin, m_firstChange;
    Clock::time_point m_lastChange, m_looked;
    std::optional<std::int64_t> m_last, m_at;
    std::int64_t m_first = 0;
};

Error commonSentence(const CommonStep& common, std::size_t known, std::size_t hosts) {
    return Error{known == hosts ? "capture.steps.common" : "capture.steps.common_some",
                 {},
                 {},
                 {{"step", std::to_string(common.step)},
                  {"seen", std::to_string(common.seen)},
                  {"polls", std::to_string(common.polls)},
                  {"steps", std::to_string(common.step - common.seen)},
                  {"known", std::to_string(known)},
                  {"hosts", std::to_string(hosts)}}};
}

}  // namespace

Result<JobOutputs> CaptureRun::findOutput(const RemoteShell& shell, const Method& method,
                                          const TargetRecord& target) const {
    std::vector<std::int64_t> processes = target.processes;
    std::vector<std::int64_t> ranks;
    if (method.watchedBy == JobFramework::Mindspore && processes.empty()) {
        // It keeps no logs: who names the folder of the configuration looks at it.
        const auto jobs = runningJobs(shell);
        if (!jobs.ok()) return jobs.as<JobOutputs>();
        for (const RunningJob& job : jobs.value().jobs) {
            if (job.mindsporeConfig != target.config && job.mindsporeConfig != target.file) continue;
            processes.push_back(job.process);
        }
    }
    auto found = findOutputs(shell, method.watchedBy == JobFramework::Torch ? target.logs : std::string(), processes);
    if (found.ok() && !target.jobFolder.empty()) {
        const std::string log = target.jobFolder + "/job.log";
        found.value().files.push_back({log, log, 0});
    }
    return found;
}

Result<StepSight> CaptureRun::sightOf(std::size_t index, const Settings& settings, const JobOutputs& outputs) {
    StepSight sight;
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<StepSight>();
    if (settings.method().medium == Medium::Request) {
        const auto access = daemonAccess(settings);
        if (!access.ok()) return access.as<StepSight>();
        const auto status = daemonStatus(*opened.value(), access.value());
        if (!status.ok()) return status.as<StepSight>();
        const auto step = wholeNumber(status.value().step);
        // It is reported once a second: steps may have passed since.
        if (step && *step >= 0) sight.step = step;
        sight.gap = 2;
        sight.isReadable = true;
        return sight;
    }
    std::vector<std::string> logs;
    for (const RankProcess& rank : outputs.ranks) logs.push_back(m_record.targets[index].logs + "/" + rank.log);
    const auto tails = readTails(*opened.value(), outputs.files, logs);
    if (!tails.ok()) return tails.as<StepSight>();
    sight.isReadable = !outputs.files.empty();
    for (const FileTail& tail : tails.value()) {
        const WatcherSays says = watcherSays(tail.text);
        if (says.poll) sight.poll = std::max(sight.poll.value_or(0), *says.poll);
        if (std::find(logs.begin(), logs.end(), tail.name) != logs.end()) continue;
        const auto printed = printedStep(tail.text);
        if (!printed) continue;
        sight.gap = std::max(sight.gap, printed->gap);
        sight.step = std::max(sight.step.value_or(0), printed->step);
    }
    return sight;
}

Result<std::optional<Check>> CaptureRun::chooseSteps(const StartRequest& request, std::vector<Prepared>& prepared) {
    if (prepared.empty() || !prepared[0].settings) return std::optional<Check>();
    const Settings& settings = *prepared[0].settings;
    const Method& method = settings.method();
    const bool isNext = !method.startField.empty() && settings.integer(method.startField) == -1;
    // Ranks look at the second file at steps of their own, which nobody can choose before they run.
    if (!method.followedBy.empty() && prepared.size() > 1) {
        const Method* second = findMethod(method.followedBy);
        const bool isChosen =
            second == nullptr ||
            std::any_of(request.assignments.begin(), request.assignments.end(), [second](const Assignment& one) {
                return one.first == second->startField && one.second != "-1";
            });
        if (isChosen) return std::optional<Check>();
        return std::optional(Check{"steps", Check::State::Warning, {"capture.steps.unknown", {}, {}, {}}, {}});
    }
    // Each host has a watcher of its own, also where they share the file.
    const bool areMany = prepared.size() > 1 || prepared[0].hasOtherHosts;
    if (!isNext || !areMany) return std::optional<Check>();
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        // sightOf() looks for logs there.
        m_record.targets[i].logs = prepared[i].target.logs;
    }
    std::vector<StepWatch> watches(prepared.size());
    const auto begin = Clock::now();
    double trip = 0;
    while (true) {
        const auto looked = Clock::now();
        std::vector<std::optional<StepSight>> sights(prepared.size());
        const auto done = onTargets([&](std::size_t i) -> Result<Done> {
            const auto sight = sightOf(i, *prepared[i].settings, prepared[i].outputs);
            if (!sight.ok()) return sight.template as<Done>();
            sights[i] = sight.value();
            return Done{};
        });
        if (!done.ok()) return done.as<std::optional<Check>>();
        const auto now = Clock::now();
        trip = std::max(trip, seconds(now - looked));
        for (std::size_t i = 0; i < sights.size(); ++i) watches[i].take(*sights[i], now);
        const bool isSettled = std::all_of(watches.begin(), watches.end(), [](const auto& w) { return w.isSettled(); });
        if (isSettled || now - begin >= kLongestLook) break;
        std::this_thread::sleep_for(kBetween);
        if (m_cancelCheck()) return Cancelled{};
    }
    std::vector<StepSight> sights;
    for (const StepWatch& watch : watches) sights.push_back(watch.sight());
    const auto known = static_cast<std::size_t>(
        std::count_if(sights.begin(), sights.end(), [](const StepSight& sight) { return sight.step.has_value(); }));
    auto common = commonStep(sights, method.polls, kWriting + kTrips * trip);
    // A number of that size is no step.
    if (common && common->step > kMaxStep) common.reset();
    // On one host they differ by a step at most.
    if (!common && prepared.size() == 1) return std::optional<Check>();
    if (!common) return std::optional(Check{"steps", Check::State::Warning, {"capture.steps.unknown", {}, {}, {}}, {}});
    for (std::size_t i = 0; i < prepared.size(); ++i) {
        prepared[i].settings->set(method.startField, common->step, SettingOrigin::User);
        if (auto planned = prepared[i].planChanges(*prepared[i].settings, request, i); !planned.ok())
            return planned.as<std::optional<Check>>();
    }
    m_record.commonStep = common->step;
    m_record.commonMargin = common->step - common->seen;
    return std::optional(Check{"steps", Check::State::Good, commonSentence(*common, known, sights.size()),
                               std::to_string(common->step)});
}

Result<std::optional<Error>> CaptureRun::rewriteConfig(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    const auto settings = settingsOf(m_record, target);
    if (!settings) return Error{"capture.session.damaged", m_store.folderOf(m_record.id), {}, {}};
    const auto plan = makePlan(*settings, target.original ? &*target.original : nullptr, target.config);
    if (!plan.ok()) return plan.as<std::optional<Error>>();
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<std::optional<Error>>();
    const auto restored = restoreConfig(*opened.value(), target.config, m_record.id, false);
    if (!restored.ok()) return restored.as<std::optional<Error>>();
    if (restored.value().isChangedByOthers) {
        target.isConfigChanged = false;
        if (auto taken = takeBack(index, restored.value()); !taken.ok()) return taken.as<std::optional<Error>>();
        return std::optional(Error{"capture.result.others", target.config, {}, {}});
    }
    auto& time = m_links[index].writtenTime;
    if (restored.value().time) time = restored.value().time;
    const auto written = writeConfig(*opened.value(), target.config, target.original, plan.value().file,
                                     ownerText(m_record.id), {}, time);
    const auto isOwn = [this](const auto& pair) {
        return pair.first == "owner" && pair.second.starts_with(m_record.id);
    };
    const bool isLost = written.failed() && (written.error().code == "capture.config.changed" ||
                                             written.error().code == "capture.config.busy");
    // The other owner keeps it; nothing of ours is in it. A broken try of this capture goes with the next one.
    if (isLost && std::none_of(written.error().parameters.begin(), written.error().parameters.end(), isOwn)) {
        target.isConfigChanged = false;
        return std::optional(written.error());
    }
    if (!written.ok()) return written.as<std::optional<Error>>();
    return std::optional<Error>();
}

Result<Done> CaptureRun::writeDueConfigs() {
    /// Tries on a host that answers before it is left out.
    static constexpr int kMaxFailedWrites = 20;
    std::vector<std::optional<Error>> ends(m_record.targets.size()), faults(m_record.targets.size());
    const bool isAny = std::any_of(m_record.targets.begin(), m_record.targets.end(),
                                   [](const TargetRecord& target) { return target.isConfigDue; });
    if (!isAny) return Done{};
    const auto done = onTargets([&](std::size_t i) -> Result<Done> {
        if (!m_record.targets[i].isConfigDue) return Done{};
        const auto written = rewriteConfig(i);
        if (written.cancelled()) return Cancelled{};
        if (written.failed()) faults[i] = written.error();
        else ends[i] = written.value();
        m_record.targets[i].isConfigDue = written.failed();
        return Done{};
    });
    noteTakenBack();
    for (std::size_t i = 0; i < ends.size(); ++i) {
        TargetWatch& watch = m_progress.watches[i];
        if (faults[i]) {
            // One host's fault is no reason to end the others.
            if (++watch.failedWrites == 1) note(i, {}, m_record.targets[i].state, *faults[i]);
            if (!isUnreached(*faults[i]) && watch.failedWrites >= kMaxFailedWrites) ends[i] = faults[i];
        }
        if (!ends[i]) continue;
        m_record.targets[i].isConfigDue = false;
        actEndHost(i, *ends[i]);
        // Those that share the file have lost it, too.
        for (std::size_t other = 0; other < ends.size(); ++other) {
            const TargetRecord& target = m_record.targets[other];
            if (!target.isSettled && !target.isConfigChanged && target.config == m_record.targets[i].config)
                actEndHost(other, *ends[i]);
        }
    }
    return done;
}

void CaptureRun::takeRecordedSteps(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    const auto settings = settingsOf(m_record, target);
    if (!settings || m_record.kind != ResultKind::Folders || target.ranks.empty()) return;
    const Method& method = settings->method();
    if (method.watchedBy == JobFramework::Mindspore) {
        for (RankRecord& rank : target.ranks) {
            // rank3_start5_stop6, both inclusive.
            const std::string parent = rank.path.substr(0, rank.path.rfind('/'));
            const auto start = parent.rfind("_start"), stop = parent.rfind("_stop");
            if (start == std::string::npos || stop == std::string::npos || stop < start) continue;
            const auto first = wholeNumber(std::string_view(parent).substr(start + 6, stop - start - 6));
            const auto last = wholeNumber(std::string_view(parent).substr(stop + 5));
            if (first && last) rank.steps.emplace(*first, *last + 1);
        }
        return;
    }
    if (method.startField.empty() || !m_links[index].shell) return;
    const std::int64_t warmup = settings->integer("warmup").value_or(0);
    const std::int64_t count = settings->integer(method.steps.end).value_or(1);
    std::vector<std::string> logs = target.watchers;
    const std::vector<OutputFile> files = method.medium == Medium::Request && m_links[index].outputs
                                              ? m_links[index].outputs->files
                                              : std::vector<OutputFile>();
    const auto tails = readTails(*m_links[index].shell, files, logs);
    if (!tails.ok()) return;
    std::map<std::string, std::int64_t> starts;  // by "HOST_PID", or by "_PID"
    for (const FileTail& tail : tails.value()) {
        if (std::find(logs.begin(), logs.end(), tail.name) != logs.end()) {
            if (const auto started = watcherSays(tail.text).started)
                starts[std::string(workerOfLog(tail.name))] = *started;
        } else {
            for (const auto& [process, step] : startsByProcess(tail.text)) starts["_" + std::to_string(process)] = step;
        }
    }
    for (RankRecord& rank : target.ranks) {
        const std::string worker(workerOfResult(rank.path));
        auto found = starts.find(worker);
        if (found == starts.end()) found = starts.find(worker.substr(std::min(worker.rfind('_'), worker.size())));
        if (found != starts.end()) rank.steps.emplace(found->second + warmup, found->second + warmup + count);
    }
}

}  // namespace altiscope::capture
