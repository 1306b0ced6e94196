#include "core/capture/targets/preflight.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"
#include "core/capture/methods/service_calls.h"

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <map>
#include <utility>

namespace altiscope::capture {

namespace {
/// Below this a capture hardly fits.
constexpr std::int64_t kLowSpaceKb = 1 << 20;
constexpr std::int64_t kMaxClockOffset = 2, kLowInodes = 10'000;

/// Paths that a tool could take for an option or "the last folder" begin with a dot.
std::string plainPath(const std::string& path) {
    if (path.empty()) return ".";
    return path.front() == '/' ? path : "./" + path;
}

/// The first of the variables that a command sets, to the forbidden value or to anything: a word of its own.
std::string variableSetIn(std::string_view command, std::string_view names) {
    while (!names.empty()) {
        const std::string_view name = names.substr(0, names.find(' '));
        names.remove_prefix(std::min(names.size(), name.size() + 1));
        for (auto at = command.find(name); at != std::string_view::npos; at = command.find(name, at + 1)) {
            const bool begins =
                at == 0 || std::string_view(" \t\n;&|('\"").find(command[at - 1]) != std::string_view::npos;
            const std::string_view rest = command.substr(at + name.size());
            const auto isEnd = [&rest](std::size_t i) {
                return i >= rest.size() || std::string_view(" \t\n;&|'\"").find(rest[i]) != std::string_view::npos;
            };
            const bool isSet = name.find('=') == std::string_view::npos ? rest.starts_with('=') && !isEnd(1) : isEnd(0);
            if (begins && isSet) return std::string(name);
        }
    }
    return {};
}

/// What the script has found as checks: a function for each, in the order in which users see them.
class FlightChecks {
public:
    /// @param output  Of the script.
    FlightChecks(const Target& target, const PreflightRequest& request, const std::string& output)
        : m_target(target), m_request(request), m_found(replyRecords(output)) {
        m_flight.workdir = value("workdir");
        m_flight.results = value("results");
        m_flight.config = value("config");
        m_flight.logs = value("logs");
    }

    Preflight all() {
        require("reach", true, {}, m_target.name);
        require("tools", !has("missing"), {"capture.check.tools", {}, {}, {{"tool", value("missing")}}});
        require("workdir", !m_flight.workdir.empty(), {"capture.check.workdir", m_request.workdir, {}, {}},
                m_flight.workdir);
        // Where results go may only be known from the file, and is looked at then.
        if (!m_request.results.empty()) {
            checkResults();
            checkSpace();
        }
        if (m_request.launches) require("state", has("state"), {"capture.check.state", {}, {}, {}});
        checkProgram();
        checkService();
        checkConfig();
        checkWatcher();
        checkEnvironment();
        checkProcess();
        checkClock();
        checkRsync();
        if (has("cann")) require("cann", true, {}, value("cann"));
        return std::move(m_flight);
    }

private:
    bool has(std::string_view key) const { return m_found.contains(key); }
    std::string value(std::string_view key) const {
        const auto record = m_found.find(key);
        return record == m_found.end() ? std::string() : record->second;
    }
    void add(const char* name, Check::State state, Error problem, std::string detail) {
        problem.parameters.emplace_back("host", m_target.name);
        m_flight.checks.push_back(
            {name, state, state == Check::State::Good ? Error{} : std::move(problem), std::move(detail)});
    }
    /// Without it nothing can be begun.
    void require(const char* name, bool good, Error problem, std::string detail = {}) {
        add(name, good ? Check::State::Good : Check::State::Failed, std::move(problem), std::move(detail));
    }
    /// It is only worth knowing.
    void advise(const char* name, bool good, Error problem, std::string detail = {}) {
        add(name, good ? Check::State::Good : Check::State::Warning, std::move(problem), std::move(detail));
    }

    void checkResults() {
        require("results", has("readable") && has("writable"), {"capture.check.results", m_flight.results, {}, {}},
                m_flight.results);
    }

    void checkSpace() {
        const auto free = wholeNumber(value("free")), inodes = wholeNumber(value("inodes"));
        if (free && *free >= 0) m_flight.free = static_cast<std::uint64_t>(*free) * 1024;
        const std::string space = megabytes(m_flight.free.value_or(0), Rounded::Down);
        advise("space", !free || *free >= kLowSpaceKb, {"capture.check.space", m_flight.results, {}, {{"free", space}}},
               free ? space + " MB" : std::string());
        // Some file systems count none, and say 0 of 0.
        if (inodes && *inodes > 0 && *inodes < kLowInodes) {
            advise("space", false, {"capture.check.inodes", m_flight.results, {}, {{"free", std::to_string(*inodes)}}});
        }
    }

    void checkProgram() {
        const std::string& program = m_request.program;
        if (!program.empty()) {
            require("program", has("program"), {"capture.check.program", {}, {}, {{"program", program}}},
                    value("program"));
        }
        // Chips and versions differ.
        if (const std::string option = value("option"); !option.empty()) {
            advise("options", false, {"capture.check.option", {}, {}, {{"program", program}, {"option", option}}});
        }
    }

    void checkService() {
        const std::string& service = m_request.service;
        if (service.empty()) return;
        const std::string code = value("service");
        if (code == "elsewhere")
            return require("service", false, {"capture.check.service_elsewhere", {}, {}, {{"url", service}}});
        if (code == "000") return require("service", false, {"capture.check.service", {}, {}, {{"url", service}}});
        require("service", code != "404", {"capture.check.service_off", {}, {}, {{"url", service}}}, service);
    }

    void checkConfig() {
        const std::string& config = m_request.config;
        if (config.empty()) return;
        const bool isFile = has("folder") && !has("config_kind");
        if (!isFile) return require("config", false, {"capture.check.config", config, {}, {}});
        const bool isWritable = has("config_writable");
        // To replace it would be possible, but its owner does not want it to be changed.
        if (isWritable && has("config_kept"))
            return require("config", false, {"capture.check.config_kept", config, {}, {}});
        require("config", isWritable, {"capture.check.config_denied", config, {}, {}}, m_flight.config);
    }

    void checkWatcher() {
        if (!m_request.isWatched || m_request.config.empty()) return;
        const auto watchers = wholeNumber(value("watchers")).value_or(0), live = wholeNumber(value("live")).value_or(0);
        // The block that the ranks of a host share is named after the hour in which their job began.
        Error nobody{"capture.check.watcher", m_flight.config, {}, {}};
        if (has("shared")) nobody = {"capture.check.watcher_other", m_flight.config, {}, {{"name", value("shared")}}};
        advise("watcher", live > 0, std::move(nobody),
               live > 0 ? std::to_string(watchers) + " dp_*.log" : std::string());
    }

    void checkEnvironment() {
        std::string variable = value("variable");
        if (variable.empty()) variable = variableSetIn(m_request.launch, m_request.forbidden);
        if (!variable.empty())
            require("environment", false, {"capture.check.environment", {}, {}, {{"name", variable}}});
    }

    /// That msprof attaches to.
    void checkProcess() {
        const std::string& pid = m_request.pid;
        if (pid.empty()) return;
        if (has("process") && has("mode"))
            return advise("pid", false, {"capture.check.pid_mode", {}, {}, {{"pid", pid}}});
        require("pid", has("process"), {"capture.check.pid", {}, {}, {{"pid", pid}}}, pid);
    }

    void checkClock() {
        const std::int64_t offset =
            wholeNumber(value("time")).value_or(0) - static_cast<std::int64_t>(std::time(nullptr));
        advise("clock", std::abs(offset) <= kMaxClockOffset,
               {"capture.check.clock", {}, {}, {{"offset", std::to_string(offset)}}}, std::to_string(offset) + " s");
    }

    void checkRsync() {
        // What is copied on this machine needs none.
        if (m_target.isLocal) return;
        advise("rsync", has("rsync") && m_target.runtime.empty(), {"capture.check.rsync", {}, {}, {}});
    }

    const Target& m_target;
    const PreflightRequest& m_request;
    std::map<std::string, std::string, std::less<>> m_found;
    Preflight m_flight;
};

}  // namespace

const Check* firstFailure(std::span<const Check> checks) {
    const auto found = std::find_if(checks.begin(), checks.end(),
                                    [](const Check& check) { return check.state == Check::State::Failed; });
    return found == checks.end() ? nullptr : &*found;
}

std::string megabytes(std::uint64_t bytes, Rounded rounded) {
    constexpr std::uint64_t kMegabyte = 1'000'000;
    return std::to_string(bytes / kMegabyte + (rounded == Rounded::Up && bytes % kMegabyte != 0 ? 1 : 0));
}

Result<Preflight> preflight(const RemoteShell& shell, const PreflightRequest& request) {
    const std::vector<std::string> arguments{plainPath(request.workdir),
                                             plainPath(request.results),
                                             request.config.empty() ? std::string() : plainPath(request.config),
                                             request.program,
                                             request.isWatched ? "yes" : "",
                                             request.forbidden,
                                             request.pid,
                                             request.launches ? "yes" : "",
                                             request.options,
                                             request.service};
    const auto reply = shell.run(std::string(ownAddressScript()) + std::string(preflightScript()), arguments);
    if (!reply.ok()) return reply.as<Preflight>();
    return FlightChecks(shell.target(), request, reply.value().output).all();
}

}  // namespace altiscope::capture
