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

}  // namespace

bool CaptureRun::ownsConfig(std::size_t index) const {
    const TargetRecord& own = m_record.targets[index];
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& other = m_record.targets[i];
        // Only one of those that share it has written it.
        if (i != index && !m_watched[i].isSettled && other.config == own.config && !other.isConfigChanged) return false;
    }
    return true;
}

Result<Done> CaptureRun::restoreConfigs() {
    const auto restored = onTargets([this](std::size_t i) -> Result<Done> {
        TargetRecord& target = m_record.targets[i];
        // Before the logs are forgotten that say it.
        if (!m_watched[i].isSettled) takeRecordedSteps(i);
        if (target.isConfigChanged && target.config.empty()) target.isConfigChanged = false;
        if (!target.isConfigChanged && target.jobFolder.empty()) return Done{};
        const auto opened = shell(i);
        if (!opened.ok()) return opened.template as<Done>();
        if (target.isConfigChanged) {
            const auto done = restoreConfig(*opened.value(), target.config, m_record.id, false);
            if (!done.ok()) return done.template as<Done>();
            target.isConfigChanged = false;
            if (const auto taken = takeBack(i, done.value()); !taken.ok()) return taken;
        }
        // A job that goes on has read its command, which may have passwords in it.
        return target.jobFolder.empty() ? Result<Done>(Done{}) : forgetCommand(*opened.value(), target.jobFolder);
    });
    noteTakenBack();
    return restored;
}

void CaptureRun::settleHost(std::size_t index, const Error& reason) {
    TargetRecord& target = m_record.targets[index];
    takeRecordedSteps(index);
    if (target.isConfigChanged && !target.config.empty() && ownsConfig(index)) {
        // Where it fails the end of the capture tries it again.
        const auto restored = restoreConfig(*m_shells[index], target.config, m_record.id, false);
        if (restored.ok()) target.isConfigChanged = false;
        if (restored.ok() && takeBack(index, restored.value()).ok()) noteTakenBack();
    }
    m_watched[index].isSettled = true;
    finishTarget(index, reason);
}

void CaptureRun::settleHosts() {
    const auto now = std::chrono::steady_clock::now();
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        const TargetRecord& target = m_record.targets[i];
        const Watched& watched = m_watched[i];
        if (watched.isSettled || watched.isLost || !m_shells[i] || !target.ranks.empty()) continue;
        const bool isGone = watched.isJobGone && watched.job == JobState::Failed && target.jobFolder.empty() &&
                            watched.results.stable().lasts(kGoneLooks);
        const bool isRefused = target.state == State::Armed && watched.refused && now - *watched.refused >= kRefused;
        if (isGone && m_record.targets.size() > 1) settleHost(i, {});
        else if (isRefused) settleHost(i, Error{"capture.result.refused", {}, {}, {}});
    }
}

std::optional<Error> CaptureRun::lateSentence() const {
    static constexpr std::int64_t kSecond = 1'000'000'000;
    if (m_record.timeout <= 0 || nowNs() - m_record.phaseBegin < m_record.timeout * kSecond) return std::nullopt;
    return Error{"capture.timeout",
                 {},
                 {},
                 {{"phase", std::string(stateText(m_record.state))}, {"seconds", std::to_string(m_record.timeout)}}};
}

Result<Done> CaptureRun::finish(const Error& reason) {
    if (isOver(m_record.state)) return Done{};
    m_record.events.push_back({nowNs(), {}, {}, m_record.state, reason});
    // A recording without an end of its own would go on.
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        if (m_record.targets[i].config.empty() && m_record.targets[i].isConfigChanged) {
            if (const auto stopped = stopRequest(i); stopped.cancelled()) return stopped;
        }
    }
    const auto restored = restoreConfigs();
    if (restored.cancelled()) return restored;
    if (restored.failed()) note(0, {}, m_record.targets[0].state, restored.error());
    bool good = restored.ok();
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        TargetRecord& target = m_record.targets[i];
        for (RankRecord& rank : target.ranks) {
            if (isOver(rank.state)) continue;
            rank.state = State::Failed;
            rank.message = Error{"capture.result.left", {}, {}, {}};
            note(i, rank.rank, rank.state, rank.message);
        }
        if (!m_watched[i].isSettled) finishTarget(i, Error{"capture.result.not_yet", {}, {}, {}});
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
