#include "core/capture/session/capture_run.h"

#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/job.h"

#include <algorithm>
#include <utility>

namespace altiscope::capture {

namespace {

/// Looks without a change, after the first, before a host whose processes are gone has come to its end.
constexpr int kGoneLooks = 1;
/// For so long other ranks of a host may still begin where one has refused the configuration.
constexpr std::chrono::seconds kRefused(5);
/// Looks and time without a change before the results of a host are all that it has.
constexpr int kAllLooks = 3;
constexpr std::chrono::seconds kAllOver(3);

}  // namespace

bool CaptureRun::ownsConfig(std::size_t index) const {
    const TargetRecord& own = m_record.targets[index];
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& other = m_record.targets[i];
        // Only one of those that share it has written it.
        if (i != index && !other.isSettled && other.config == own.config && !other.isConfigChanged) return false;
    }
    return true;
}

Result<Done> CaptureRun::restoreConfigs() {
    const auto restored = onTargets([this](std::size_t i) -> Result<Done> {
        TargetRecord& target = m_record.targets[i];
        // Before the logs are forgotten that say it.
        if (!m_record.targets[i].isSettled) takeRecordedSteps(i);
        if (target.isConfigChanged && target.config.empty()) target.isConfigChanged = false;
        if (!target.isConfigChanged && target.jobFolder.empty()) return Done{};
        target.hasCommand = !target.jobFolder.empty();
        const auto opened = shell(i);
        if (!opened.ok()) return opened.template as<Done>();
        if (target.isConfigChanged) {
            const auto done = restoreConfig(*opened.value(), target.config, m_record.id, false);
            if (!done.ok()) return done.template as<Done>();
            target.isConfigChanged = false;
            if (const auto taken = takeBack(i, done.value()); !taken.ok()) return taken;
        }
        // A job that goes on has read its command, which may have passwords in it.
        if (target.jobFolder.empty()) return Done{};
        auto forgotten = forgetCommand(*opened.value(), target.jobFolder);
        target.hasCommand = !forgotten.ok();
        return forgotten;
    });
    noteTakenBack();
    return restored;
}

void CaptureRun::settleHost(std::size_t index, const Error& reason) {
    TargetRecord& target = m_record.targets[index];
    takeRecordedSteps(index);
    if (target.isConfigChanged && !target.config.empty() && ownsConfig(index)) putBackConfig(index);
    m_record.targets[index].isSettled = true;
    finishTarget(index, reason);
}

bool CaptureRun::isUnreached(const Error& problem) {
    return problem.code.starts_with("capture.ssh.") || problem.code == "capture.remote.timeout" ||
           problem.code == "capture.remote.no_reply";
}

void CaptureRun::putBackComplete() {
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        TargetRecord& target = m_record.targets[i];
        const bool isHere = !target.isSettled && !m_watched[i].isLost && target.isConfigChanged &&
                            !target.config.empty() && !target.ranks.empty() && m_record.resultsPerRank == 1;
        const bool areOver = std::all_of(target.ranks.begin(), target.ranks.end(),
                                         [](const RankRecord& rank) { return isOver(rank.state); });
        if (!isHere || !areOver || !m_watched[i].results.stable().lasts(kAllLooks, kAllOver) || !ownsConfig(i))
            continue;
        takeRecordedSteps(i);
        putBackConfig(i);
    }
}

void CaptureRun::putBackConfig(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    // Where it fails the end of the capture tries it again.
    const auto opened = shell(index);
    const auto restored =
        opened.ok() ? restoreConfig(*opened.value(), target.config, m_record.id, false) : opened.as<Restored>();
    if (!restored.ok()) return;
    target.isConfigChanged = false;
    if (takeBack(index, restored.value()).ok()) noteTakenBack();
}

void CaptureRun::settleHosts() {
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& target = m_record.targets[i];
        const Watched& watched = m_watched[i];
        if (target.isSettled || watched.isLost || !m_shells[i] || !target.ranks.empty()) continue;
        const bool isGone = watched.isJobGone && watched.job == JobState::Failed && target.jobFolder.empty() &&
                            watched.results.stable().lasts(kGoneLooks);
        // While the tool is asked for its own count, it is to refuse.
        const bool isRefused =
            !isAsking() && target.state == State::Armed && watched.refused && now - *watched.refused >= kRefused;
        if (isGone && m_record.targets.size() > 1) settleHost(i, {});
        else if (isRefused) settleHost(i, Error{"capture.result.refused", {}, {}, {}});
    }
}

std::optional<Error> CaptureRun::lateSentence() const {
    static constexpr std::int64_t kSecond = 1'000'000'000;
    if (m_record.timeout <= 0 || nowNs() - m_record.phaseBegin < m_record.timeout * kSecond) return std::nullopt;
    return timeoutSentence();
}

Error CaptureRun::timeoutSentence() const {
    return Error{"capture.timeout",
                 {},
                 {},
                 {{"phase", std::string(stateText(m_record.state))}, {"seconds", std::to_string(m_record.timeout)}}};
}

Result<Done> CaptureRun::finish(const Error& reason) {
    if (isOver(m_record.state)) return Done{};
    m_record.events.push_back({nowNs(), {}, {}, m_record.state, reason});
    // A recording without an end of its own would go on.
    std::vector<std::size_t> running;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        if (m_record.targets[i].config.empty() && m_record.targets[i].isConfigChanged) {
            const auto stopped = stopRequest(i);
            if (stopped.cancelled()) return stopped;
            if (!stopped.failed()) continue;
            running.push_back(i);
            note(i, {}, m_record.targets[i].state, stopped.error());
        }
    }
    const auto restored = restoreConfigs();
    // A cancel tries it again.
    for (const std::size_t i : running) m_record.targets[i].isConfigChanged = true;
    if (restored.cancelled()) return restored;
    if (restored.failed()) note(0, {}, m_record.targets[0].state, restored.error());
    bool good = restored.ok() && running.empty();
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        TargetRecord& target = m_record.targets[i];
        for (RankRecord& rank : target.ranks) {
            if (isOver(rank.state)) continue;
            rank.state = State::Failed;
            rank.message = Error{"capture.result.left", {}, {}, {}};
            note(i, rank.rank, rank.state, rank.message);
        }
        if (!m_record.targets[i].isSettled) finishTarget(i, Error{"capture.result.not_yet", {}, {}, {}});
        good = good && target.state == State::Done;
    }
    const auto results = resultsOfRanks(true);
    const std::int64_t each = std::max(m_record.resultsPerRank, std::int64_t{1});
    if (!std::all_of(results.begin(), results.end(), [each](const auto& rank) { return rank.second >= each; })) {
        noteMissing(true);
        good = false;
    }
    setState(good ? State::Done : State::Failed);
    compareSteps();
    return publish();
}

}  // namespace altiscope::capture
