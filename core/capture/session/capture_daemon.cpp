#include "core/capture/session/capture_run.h"

#include "core/capture/methods/dyno_request.h"
#include "core/capture/methods/presets.h"
#include "core/capture/targets/daemon.h"

namespace altiscope::capture {

namespace {

/// Between two questions how far the daemon's jobs are; each is a connection of its own.
constexpr std::chrono::seconds kDaemonRest(2);

bool isMonitorMethod(const CaptureRecord& record) { return record.method == "dyno-npumonitor"; }

}  // namespace

std::optional<Settings> CaptureRun::requestSettings() const {
    const Method* method = findMethod(m_record.method);
    if (method == nullptr || method->medium != Medium::Request) return std::nullopt;
    auto assignments = presetAssignments(*method, m_record.preset);
    assignments.insert(assignments.end(), m_record.assignments.begin(), m_record.assignments.end());
    Problems ignored;
    return makeSettings(*method, assignments, nullptr, ignored);
}

Result<Done> CaptureRun::checkDaemon(const RemoteShell& shell, const Settings& settings, std::vector<Check>& checks) {
    const int port = static_cast<int>(settings.integer("port").value_or(0));
    const auto status = daemonStatus(shell, port);
    if (status.cancelled()) return Cancelled{};
    if (status.failed()) {
        checks.push_back({"daemon", Check::State::Failed, status.error(), {}});
        return status.error();
    }
    const std::string& other =
        settings.method().name == "dyno-npumonitor" ? status.value().trace : status.value().monitor;
    const std::string detail = "nputrace " + status.value().trace + ", npu-monitor " + status.value().monitor;
    const MessageParameters host{{"host", shell.target().name}, {"port", std::to_string(port)}};
    if (status.value().trace == "Uninitialized" && status.value().monitor == "Uninitialized") {
        const Error problem{"capture.daemon.no_job", {}, {}, host};
        checks.push_back({"daemon", Check::State::Failed, problem, detail});
        return problem;
    }
    // A monitor that somebody else has started would end with ours.
    const bool isMonitor = settings.method().name == "dyno-npumonitor",
               ownRuns = isMonitor && status.value().monitor == "Running";
    if (other == "Running" || ownRuns) {
        Error problem{"capture.daemon.other_runs", {}, {}, host};
        problem.parameters.emplace_back("reason", isMonitor && !ownRuns ? "nputrace" : "npu-monitor");
        checks.push_back({"daemon", Check::State::Failed, problem, detail});
        return problem;
    }
    checks.push_back({"daemon", Check::State::Good, {}, detail});
    return Done{};
}

Result<Done> CaptureRun::sendRequests(const Settings& settings) {
    const std::string request = dynoRequest(settings);
    const int port = static_cast<int>(settings.integer("port").value_or(0));
    std::vector<char> busy(m_record.targets.size(), 0);
    const auto sent = onTargets([&](std::size_t i) -> Result<Done> {
        const auto accepted = requestRecording(*m_shells[i], port, request);
        if (!accepted.ok()) return accepted.template as<Done>();
        busy[i] = accepted.value() ? 1 : 0;
        return Done{};
    });
    for (std::size_t i = 0; i < busy.size(); ++i) {
        if (busy[i] != 0) note(i, {}, State::Preparing, Error{"capture.daemon.busy", {}, {}, {}});
    }
    return sent;
}

Result<Done> CaptureRun::stopRequest(std::size_t index) {
    const auto settings = requestSettings();
    if (!settings) return Done{};
    const std::string request = dynoStopRequest(*settings);
    // A trace ends by itself after its steps, and cannot be taken back.
    if (request.empty()) return Done{};
    const auto opened = shell(index);
    if (!opened.ok()) return opened.as<Done>();
    const auto stopped = callDaemon(*opened.value(), static_cast<int>(settings->integer("port").value_or(0)), request);
    return stopped.ok() ? Result<Done>(Done{}) : stopped.as<Done>();
}

void CaptureRun::noteUnstoppable() {
    if (isOver(m_record.state)) return;
    const auto settings = requestSettings();
    if (!settings || !dynoStopRequest(*settings).empty()) return;
    for (std::size_t i = 0; i < m_record.targets.size(); ++i) {
        if (m_record.targets[i].isConfigChanged)
            note(i, {}, m_record.targets[i].state, Error{"capture.daemon.not_withdrawn", {}, {}, {}});
    }
}

void CaptureRun::askDaemon(std::size_t index) {
    Watched& watched = m_watched[index];
    const auto now = std::chrono::steady_clock::now();
    if (now < watched.nextDaemon || !m_shells[index]) return;
    watched.nextDaemon = now + kDaemonRest;
    if (!m_requestPort) {
        const auto settings = requestSettings();
        m_requestPort = settings ? static_cast<int>(settings->integer("port").value_or(0)) : 0;
    }
    const auto status = daemonStatus(*m_shells[index], *m_requestPort);
    if (status.ok()) watched.daemon = status.value();
}

void CaptureRun::takeDaemon(std::size_t index) {
    TargetRecord& target = m_record.targets[index];
    Watched& watched = m_watched[index];
    if (!watched.daemon) return;
    const DaemonStatus& status = *watched.daemon;
    const bool isMonitor = isMonitorMethod(m_record);
    const std::string& state = isMonitor ? status.monitor : status.trace;
    std::string line = state;
    // The step changes too often for a message each.
    if (state == "Ready" && !status.start.empty()) line += ", starts at step " + status.start;
    noteOnce(index, watched.daemonLine, line, "capture.event.daemon");
    const bool runs = state == "Running";
    watched.hasRun = watched.hasRun || runs;
    if (runs && target.state == State::Armed) {
        target.state = State::Recording;
        note(index, {}, State::Recording);
    }
    // Its files grow without a mark of their end.
    if (isMonitor)
        watched.job = runs                                      ? JobState::Runs
                      : watched.hasRun || !target.ranks.empty() ? JobState::EndedWell
                                                                : watched.job;
}

}  // namespace altiscope::capture
