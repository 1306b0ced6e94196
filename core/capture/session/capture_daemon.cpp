#include "core/capture/session/capture_run.h"

#include "core/capture/methods/dyno_request.h"
#include "core/capture/session/expectation.h"
#include "core/capture/targets/daemon.h"
#include "core/capture/targets/password.h"

#include <utility>

namespace altiscope::capture {

namespace {

/// Between two questions how far the daemon's jobs are; each is a connection of its own.
constexpr std::chrono::seconds kDaemonRest(2);
/// What makes a job register with a daemon: MSMONITOR_USE_DAEMON, formerly KINETO_USE_DAEMON.
constexpr std::string_view kJoins = "_USE_DAEMON=1";

}  // namespace

std::optional<Settings> CaptureRun::requestSettings() const {
    const Method* method = findMethod(m_record.method);
    return method != nullptr && method->medium == Medium::Request ? settingsOf(m_record, {}) : std::nullopt;
}

Result<DaemonAccess> CaptureRun::daemonAccess(const Settings& settings) {
    const std::lock_guard lock(m_accessMutex);
    if (m_access) return *m_access;
    DaemonAccess access{static_cast<int>(settings.integer("port").value_or(0)), {}, settings.text("server_name")};
    const std::string folder = certificatesFolder(settings);
    if (!folder.empty()) {
        auto identity = TlsIdentity::load(folder, [this](const std::string& prompt, std::span<char> answer) {
            return promptPassword(prompt, m_askpass, answer, m_cancelCheck);
        });
        // A prompt that was cancelled may be shown again.
        if (identity.cancelled()) return Cancelled{};
        if (identity.failed()) return *(m_access = Result<DaemonAccess>(identity.error()));
        access.identity = std::move(identity).value();
    }
    return *(m_access = Result<DaemonAccess>(std::move(access)));
}

Result<Done> CaptureRun::checkDaemon(const RemoteShell& shell, const Settings& settings, std::vector<Check>& checks) {
    const auto access = daemonAccess(settings);
    const auto status = access.ok() ? daemonStatus(shell, access.value()) : access.template as<DaemonStatus>();
    if (status.cancelled()) return Cancelled{};
    if (status.failed()) {
        checks.push_back({"daemon", Check::State::Failed, status.error(), {}});
        return status.error();
    }
    const bool isMonitor = settings.method().results == ResultKind::Monitored;
    const std::string& other = isMonitor ? status.value().trace : status.value().monitor;
    const std::string detail = "nputrace " + status.value().trace + ", npu-monitor " + status.value().monitor;
    const MessageParameters host{{"host", shell.target().name}, {"port", std::to_string(access.value().port)}};
    if (status.value().trace == "Uninitialized" && status.value().monitor == "Uninitialized") {
        const Error problem{"capture.daemon.no_job", {}, {}, host};
        checks.push_back({"daemon", Check::State::Failed, problem, detail});
        return problem;
    }
    // A monitor that somebody else has started would end with ours.
    const bool ownRuns = isMonitor && status.value().monitor == "Running";
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
    const auto access = daemonAccess(settings);
    if (!access.ok()) return access.as<Done>();
    std::vector<char> busy(m_record.targets.size(), 0);
    const auto seen = [this](std::size_t i, std::vector<std::int64_t> numbers) -> Result<Done> {
        // In a container they have other numbers, which others may have here.
        const TargetRecord& target = m_record.targets[i];
        auto listing = listResults(*m_links[i].shell, {.results = target.results,
                                                       .kind = m_record.kind,
                                                       .known = target.known,
                                                       .processes = std::move(numbers),
                                                       .environment = std::string(kJoins),
                                                       .horizon = target.horizon});
        if (!listing.ok()) return listing.as<Done>();
        m_record.targets[i].processes = std::move(listing.value().processes);
        return Done{};
    };
    const auto sent = onTargets([&](std::size_t i) -> Result<Done> {
        const auto accepted = requestRecording(*m_links[i].shell, access.value(), request);
        if (!accepted.ok()) return accepted.template as<Done>();
        busy[i] = accepted.value().isBusy ? 1 : 0;
        return seen(i, accepted.value().processes);
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
    const auto access = daemonAccess(*settings);
    if (!access.ok()) return access.as<Done>();
    const auto stopped = callDaemon(*opened.value(), access.value(), request);
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

std::optional<Result<DaemonStatus>> CaptureRun::queryDaemon(std::size_t index) {
    TargetLink& target = m_links[index];
    const auto now = std::chrono::steady_clock::now();
    if (now < target.nextDaemon || !target.shell) return std::nullopt;
    target.nextDaemon = now + kDaemonRest;
    const auto settings = requestSettings();
    if (!settings) return std::nullopt;
    const auto access = daemonAccess(*settings);
    return access.ok() ? daemonStatus(*target.shell, access.value()) : access.template as<DaemonStatus>();
}

}  // namespace altiscope::capture
