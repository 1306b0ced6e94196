#include "core/capture/session/capture_run.h"

#include "core/capture/targets/job_output.h"

#include <chrono>
#include <utility>

namespace altiscope::capture {

namespace {

/// Between two searches for the output of a job, which look at all processes of a host.
constexpr std::chrono::seconds kFindRest(10);

}  // namespace

Result<bool> CaptureRun::poll() {
    if (isOver(m_record.state)) return false;
    if (const auto armed = armFollowers(); !armed.ok()) return armed.as<bool>();
    auto observations = observe();
    if (!observations.ok()) return observations.as<bool>();
    m_progress.now = momentNow();
    if (const auto done = act(applyObservations(m_progress, std::move(observations).value())); !done.ok())
        return done.as<bool>();
    for (const auto& decide : kDecisions) {
        m_progress.now = momentNow();
        if (const auto done = act(decide(m_progress)); !done.ok()) return done.as<bool>();
    }
    if (auto published = publish(); !published.ok()) return published.as<bool>();
    return !isOver(m_record.state);
}

Result<std::vector<Observation>> CaptureRun::observe() {
    std::vector<Observation> observations(m_record.targets.size());
    const auto looked = onTargets([&](std::size_t i) -> Result<Done> {
        if (!m_record.targets[i].isSettled) observations[i] = observeTarget(i);
        return observations[i].listing.cancelled() ? Result<Done>(Cancelled{}) : Result<Done>(Done{});
    });
    if (!looked.ok()) return looked.as<std::vector<Observation>>();
    return observations;
}

Observation CaptureRun::observeTarget(std::size_t index) {
    const TargetRecord& target = m_record.targets[index];
    const auto opened = shell(index);
    if (!opened.ok()) return {.listing = opened.as<Listing>()};
    Observation seen{.listing =
                         listResults(*opened.value(), {.results = target.results,
                                                       .kind = m_record.kind,
                                                       .jobFolder = target.jobFolder,
                                                       .config = target.isConfigChanged ? target.config : std::string(),
                                                       .known = target.known,
                                                       .wantsWatchers = target.isConfigChanged && target.ranks.empty(),
                                                       .processes = target.processes,
                                                       .logs = target.logs,
                                                       .horizon = target.horizon})};
    if (!seen.listing.ok()) return seen;
    const Method* method = findMethod(m_record.method);
    if (method != nullptr && method->medium == Medium::Request) seen.daemon = queryDaemon(index);
    observeOutput(index, seen);
    seen.hasFollowed = std::exchange(m_links[index].hasFollowed, false);
    seen.followerProblem = m_links[index].followerProblem;
    return seen;
}

void CaptureRun::observeOutput(std::size_t index, Observation& seen) {
    const TargetRecord& target = m_record.targets[index];
    TargetLink& link = m_links[index];
    const Listing& listing = seen.listing.value();
    const Method* method = findMethod(m_record.method);
    const auto now = std::chrono::steady_clock::now();
    if (m_record.areRanksStandard && !target.jobFolder.empty() && m_progress.watches[index].ranks == 0 &&
        !listing.jobStatus && now >= link.nextCount) {
        link.nextCount = now + kFindRest;
        const auto size = worldSize(*link.shell, target.jobFolder);
        if (size.ok()) seen.rankCount = size.value().value_or(0);
    }
    const bool isRunning = method != nullptr && method->trigger == Trigger::Edit;
    // Output of a job that was started from here is read elsewhere, but for the reason of its end.
    const bool hasFailed = !target.jobFolder.empty() && (listing.jobStatus.value_or(0) != 0 || listing.isJobGone);
    if (method == nullptr || target.state > State::Recording || (!isRunning && !hasFailed)) return;
    if (!link.outputs || (link.outputs->files.empty() && now >= link.nextFind)) {
        link.nextFind = now + kFindRest;
        auto found = findOutput(*link.shell, *method, target);
        if (found.ok()) link.outputs = std::move(found).value();
        // The job may have ended before this process looked for the first time.
        if (link.outputs && link.outputs->files.empty()) {
            for (const std::string& path : target.outputs) link.outputs->files.push_back({"/dev/null", path, 0});
        }
    }
    if (!link.outputs) return;
    auto tails = readTails(*link.shell, link.outputs->files, {});
    if (!tails.ok()) return;
    seen.output = std::move(tails).value();
    for (const OutputFile& file : link.outputs->files) seen.outputPaths.push_back(file.path);
}

Result<Done> CaptureRun::act(const Actions& actions) {
    if (actions.empty()) return Done{};
    // Known before it is done: a process that goes on after this one does what is still due.
    if (auto saved = publish(); !saved.ok()) return saved;
    for (const Action& action : actions) {
        if (auto done = act(action); !done.ok()) return done;
    }
    return Done{};
}

Result<Done> CaptureRun::act(const Action& action) {
    switch (action.kind) {
    case Action::Kind::EndHost: actEndHost(action.target, action.reason); return Done{};
    case Action::Kind::PutBack:
        takeRecordedSteps(action.target);
        putBackConfig(action.target);
        return Done{};
    case Action::Kind::WriteConfigs: return writeDueConfigs();
    case Action::Kind::Finish: return finish(action.reason);
    case Action::Kind::End: return actEnd();
    }
    return Done{};
}

void CaptureRun::actEndHost(std::size_t index, const Error& reason) {
    const TargetRecord& target = m_record.targets[index];
    takeRecordedSteps(index);
    if (target.isConfigChanged && !target.config.empty() && ownsConfig(m_record, index)) putBackConfig(index);
    m_progress.now.ns = nowNs();
    endHost(m_progress, index, reason);
}

Result<Done> CaptureRun::actEnd() {
    // The job has read the file; whatever becomes of the results, it is put back first.
    const auto restored = restoreConfigs();
    if (restored.cancelled()) return restored;
    m_progress.now.ns = nowNs();
    endCapture(m_progress, restored.failed() ? std::optional(restored.error()) : std::nullopt);
    return Done{};
}

}  // namespace altiscope::capture
