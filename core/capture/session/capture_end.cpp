#include "core/capture/session/capture_run.h"

#include "core/capture/targets/config_edit.h"
#include "core/capture/targets/job.h"

#include <algorithm>
#include <utility>

namespace altiscope::capture {

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

bool CaptureRun::isUnreached(const Error& problem) {
    return problem.code.starts_with("capture.ssh.") || problem.code == "capture.remote.timeout" ||
           problem.code == "capture.remote.no_reply";
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
    m_progress.now = momentNow();
    finishCapture(m_progress, restored.ok() && running.empty());
    return publish();
}

}  // namespace altiscope::capture
