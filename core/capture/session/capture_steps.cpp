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
/// A tool looks at least every 50 s.
constexpr std::chrono::seconds kLongestAsk(60);
/// Between two searches for the output of a job, which look at all processes of a host.
constexpr std::chrono::seconds kFindRest(10);

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

void CaptureRun::lookAtOutput(std::size_t index, Listing& listing) {
    TargetRecord& target = m_record.targets[index];
    Watched& watched = m_watched[index];
    const Method* method = findMethod(m_record.method);
    const auto now = Clock::now();
    if (m_record.areRanksStandard && !target.jobFolder.empty() && watched.ranks == 0 && !listing.jobStatus &&
        now >= watched.nextCount && m_shells[index]) {
        watched.nextCount = now + kFindRest;
        const auto size = worldSize(*m_shells[index], target.jobFolder);
        if (size.ok()) watched.ranks = size.value().value_or(0);
    }
    const bool isRunning = method != nullptr && method->trigger == Trigger::Edit;
    // Output of a job that was started from here is read elsewhere, but for the reason of its end.
    const bool hasFailed = !target.jobFolder.empty() && (listing.jobStatus.value_or(0) != 0 || listing.isJobGone);
    if (method == nullptr || target.state > State::Recording || (!isRunning && !hasFailed)) return;
    const auto opened = shell(index);
    if (!opened.ok()) return;
    if (!watched.outputs || (watched.outputs->files.empty() && now >= watched.nextFind)) {
        watched.nextFind = now + kFindRest;
        auto found = findOutput(*opened.value(), *method, target);
        if (found.ok()) watched.outputs = std::move(found).value();
    }
    if (!watched.outputs) return;
    const auto tails = readTails(*opened.value(), watched.outputs->files, {});
    if (!tails.ok()) return;
    for (const FileTail& tail : tails.value()) {
        if (target.jobFolder.empty() && !watched.hasLookedAtOutput && !watched.isJobGone)
            takeEarlierOutput(index, tail.text);
        const std::string reason = tracebackReason(tail.text);
        if (!reason.empty() && !watched.earlierLines.contains(reason)) watched.reason = reason;
        if (const std::string_view line = refusalLine(tail.text); !line.empty() && isOwnRefusal(index, line)) {
            listing.refusal = line;
            watched.refusal = line;
            watched.refusedStep = numberAfter(line, "current_step=");
        }
        // Other output hides it for a moment.
        const auto printed = printedStep(tail.text);
        if (printed) watched.printed = std::max(watched.printed.value_or(0), printed->step);
        if (printed && listing.iteration.empty())
            listing.iteration = "iteration " + std::to_string(printed->step) + "/";
    }
    watched.hasLookedAtOutput = true;
}

void CaptureRun::takeEarlierOutput(std::size_t index, const std::string& text) {
    Watched& watched = m_watched[index];
    watched.earlierLines.insert(tracebackReason(text));
    watched.earlierLines.emplace(refusalLine(text));
}

bool CaptureRun::isOwnRefusal(std::size_t index, std::string_view line) {
    static constexpr std::string_view kField = "start_step";
    if (const auto at = line.find(kField); at != std::string_view::npos) {
        const auto digit = line.find_first_of("0123456789", at + kField.size());
        const auto end = std::min(line.find_first_not_of("0123456789", digit), line.size());
        const auto settings = settingsOf(m_record, m_record.targets[index]);
        if (digit != std::string_view::npos && settings && settings->find(kField) != nullptr)
            return wholeNumber(line.substr(digit, end - digit)) == settings->integer(kField);
    }
    // One without a number was there before the capture, or is of it.
    return !m_watched[index].earlierLines.contains(std::string(line));
}

Result<Done> CaptureRun::rewriteConfigs(std::int64_t step) {
    m_record.commonStep = step;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        TargetRecord& target = m_record.targets[i];
        Watched& watched = m_watched[i];
        // These speak of the configuration that is replaced now.
        for (const std::string* line : {&watched.refusal, &watched.watcherLine, &watched.logLine}) {
            if (!line->empty()) watched.earlierLines.insert(*line);
        }
        watched.refused.reset();
        watched.refusedStep.reset();
        watched.diagnosis.clear();
        watched.steps.reset();
        watched.failedWrites = 0;
        target.isConfigDue = !target.isSettled && target.isConfigChanged && !target.config.empty();
    }
    // Known before it is done: a process that goes on after this one writes what is still due.
    if (auto saved = publish(); !saved.ok()) return saved;
    return writeDueConfigs();
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
    auto& time = m_watched[index].writtenTime;
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
        Watched& watched = m_watched[i];
        if (faults[i]) {
            // One host's fault is no reason to end the others.
            if (++watched.failedWrites == 1) note(i, {}, m_record.targets[i].state, *faults[i]);
            if (!isUnreached(*faults[i]) && watched.failedWrites >= kMaxFailedWrites) ends[i] = faults[i];
        }
        if (!ends[i]) continue;
        m_record.targets[i].isConfigDue = false;
        settleHost(i, *ends[i]);
        // Those that share the file have lost it, too.
        for (std::size_t other = 0; other < ends.size(); ++other) {
            const TargetRecord& target = m_record.targets[other];
            if (!target.isSettled && !target.isConfigChanged && target.config == m_record.targets[i].config)
                settleHost(other, *ends[i]);
        }
    }
    return done;
}

Result<bool> CaptureRun::correctStep() {
    static constexpr int kMaxCorrections = 3;
    const Method* method = findMethod(m_record.method);
    if (auto written = writeDueConfigs(); !written.ok()) return written.as<bool>();
    if (m_record.commonStep.value_or(-1) < 0 || method == nullptr || method->medium != Medium::JsonFile) return false;
    std::optional<std::int64_t> own, printed;
    bool isUncounted = false;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const Watched& watched = m_watched[i];
        if (m_record.targets[i].isSettled) continue;
        // Once one of them records, another step for the others would be another one.
        if (m_record.targets[i].state != State::Armed || watched.isLost || m_record.targets[i].isConfigDue)
            return false;
        isUncounted = isUncounted || (watched.refused && !watched.refusedStep);
        if (watched.refused && watched.refusedStep && m_corrections < kMaxCorrections)
            own = std::max(own.value_or(0), *watched.refusedStep);
        if (watched.printed) printed = std::max(printed.value_or(0), *watched.printed);
    }
    // Long past it by the job's count, and the tool has not begun: it counts fewer, as after a resume.
    const bool isOverdue = !own && m_corrections < kMaxCorrections && !isAsking() && !m_record.isStepOwn && printed &&
                           *printed > *m_record.commonStep + std::max<std::int64_t>(m_record.commonMargin, 5);
    const auto now = Clock::now();
    if (!isAsking()) m_asked.reset();
    else if (!m_asked) m_asked = now;
    // Nobody can read the reply, or there is none: then each host begins at its own step.
    if (!own && m_asked && (isUncounted || now - *m_asked >= kLongestAsk)) {
        m_record.events.push_back({nowNs(), {}, {}, m_record.state, Error{"capture.steps.unknown", {}, {}, {}}});
        if (auto written = rewriteConfigs(-1); !written.ok()) return written.as<bool>();
        return true;
    }
    if (!own && !isOverdue) return false;
    ++m_corrections;
    m_record.isStepOwn = own.has_value();
    std::int64_t step = kAskingStep;
    if (own) {
        // A tool that counts several steps for one that is printed counts them as much faster.
        const std::int64_t each = (*own + std::max<std::int64_t>(printed.value_or(1), 1) - 1) /
                                  std::max<std::int64_t>(printed.value_or(1), 1);
        const std::int64_t margin = m_record.commonMargin + m_record.commonMargin / 2;
        step = *own + margin * std::clamp<std::int64_t>(each, 1, 100);
    }
    const Error sentence{own ? "capture.steps.corrected" : "capture.steps.asks",
                         {},
                         {},
                         {{"step", std::to_string(step)}, {"own", std::to_string(own.value_or(0))}}};
    m_record.events.push_back({nowNs(), {}, {}, m_record.state, sentence});
    if (auto written = rewriteConfigs(step); !written.ok()) return written.as<bool>();
    return true;
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
    if (method.startField.empty() || !m_shells[index]) return;
    const std::int64_t warmup = settings->integer("warmup").value_or(0);
    const std::int64_t count = settings->integer(method.steps.end).value_or(1);
    std::vector<std::string> logs = target.watchers;
    const std::vector<OutputFile> files = method.medium == Medium::Request && m_watched[index].outputs
                                              ? m_watched[index].outputs->files
                                              : std::vector<OutputFile>();
    const auto tails = readTails(*m_shells[index], files, logs);
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

void CaptureRun::compareSteps() {
    // Stages, and jobs that record as often as they like, have their own.
    if (m_record.resultsPerRank != 1) return;
    std::map<std::pair<std::int64_t, std::int64_t>, std::map<std::string, std::vector<std::int64_t>>> groups;
    std::size_t known = 0, all = 0;
    for (const TargetRecord& target : m_record.targets) {
        for (const RankRecord& rank : target.ranks) {
            ++all;
            if (!rank.steps) continue;
            ++known;
            groups[*rank.steps][target.name].push_back(rank.rank.value_or(-1));
        }
    }
    if (known < 2) return;
    const auto stepsText = [](const std::pair<std::int64_t, std::int64_t>& steps) {
        return steps.second - steps.first > 1 ? std::to_string(steps.first) + "-" + std::to_string(steps.second - 1)
                                              : std::to_string(steps.first);
    };
    if (groups.size() == 1) {
        m_record.steps = Error{known == all ? "capture.steps.same" : "capture.steps.same_some",
                               {},
                               {},
                               {{"steps", stepsText(groups.begin()->first)},
                                {"known", std::to_string(known)},
                                {"ranks", std::to_string(all)}}};
    } else {
        std::string text;
        for (auto& [steps, hosts] : groups) {
            text += (text.empty() ? "" : "; ") + stepsText(steps) + ":";
            std::size_t count = 0;
            for (auto& [host, ranks] : hosts) {
                // More than these would be no sentence.
                if (++count > 8) {
                    text += " ...";
                    break;
                }
                std::erase(ranks, -1);
                std::sort(ranks.begin(), ranks.end());
                text += (count > 1 ? ", " : " ") + host + (ranks.empty() ? "" : " (" + numberRanges(ranks) + ")");
            }
        }
        m_record.steps = Error{"capture.steps.differ", {}, {}, {{"groups", text}}};
    }
    m_record.events.push_back({nowNs(), {}, {}, m_record.state, m_record.steps});
}

}  // namespace altiscope::capture
