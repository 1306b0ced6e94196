#include "core/capture/targets/daemon.h"

#include "core/base/text/json_depth.h"
#include "core/base/text/json_text.h"
#include "core/base/values/parse.h"
#include "core/capture/targets/port_connection.h"
#include "core/capture/targets/tls_connection.h"

#include <nlohmann/json.hpp>

#include <chrono>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::capture {

namespace {

using DaemonJson = nlohmann::json;

constexpr std::size_t kMaxRequestBytes = 8191, kMaxReplyBytes = std::size_t{1} << 20, kLengthBytes = 4;
/// Levels of a reply, of which real ones have 2.
constexpr std::size_t kMaxReplyDepth = 64;
constexpr std::chrono::seconds kDaemonTimeout(10);

std::string lengthBytes(std::size_t length) {
    std::string bytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i) bytes += static_cast<char>((length >> (8 * i)) & 0xff);
    return bytes;
}

std::string framedRequest(std::string_view request) { return lengthBytes(request.size()) + std::string(request); }

/// nullopt: not yet known, or never a length.
std::optional<std::size_t> replyLength(std::string_view bytes) {
    if (bytes.size() < kLengthBytes) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return length;
}

/// Whether a reply is the beginning of a record of TLS, an alert or a handshake with its version (RFC 8446, 5.1): as a
/// length of a reply it would be one of 64 KiB and more.
bool isTls(std::string_view bytes) {
    return bytes.size() > 2 && (bytes[0] == '\x15' || bytes[0] == '\x16') && bytes[1] == '\x03' && bytes[2] >= '\x01' &&
           bytes[2] <= '\x04';
}

/// The greeting of a TLS client (RFC 5246, 7.4.1.2) with some suites that servers know and without extensions: whoever
/// speaks TLS replies to it with a record, if only to refuse it. For a daemon without certificates it is a length that
/// it does not take, and it closes the connection.
std::string tlsGreeting() {
    constexpr std::string_view kSuites("\xc0\x2f\xc0\x30\x00\x9c\x00\x2f", 8);
    std::string hello("\x03\x03", 2);
    hello.append(32, 'a');
    hello += '\0';
    hello += '\0';
    hello += static_cast<char>(kSuites.size());
    hello += kSuites;
    hello.append("\x01\x00", 2);
    const char length = static_cast<char>(hello.size());
    return std::string("\x16\x03\x01\x00", 4) + static_cast<char>(length + 4) + std::string("\x01\x00\x00", 3) +
           length + hello;
}

Error daemonError(const char* code, const RemoteShell& shell, int port) {
    return Error{code, {}, {}, {{"host", shell.target().name}, {"port", std::to_string(port)}}};
}

/// Whether nothing more of a reply comes, or is of interest.
bool isReplyOver(std::string_view taken) {
    const auto length = replyLength(taken);
    return (length && (*length > kMaxReplyBytes || taken.size() >= *length + kLengthBytes)) || isTls(taken);
}

/// All that the daemon sends to a request until it closes, or until its reply is whole.
template <class Stream>
Result<std::string> converse(Stream& stream, std::string_view framed, PortEvent& event) {
    std::string taken;
    event = stream.send(framed);
    while (event == PortEvent::Ready && !isReplyOver(taken)) event = stream.receive(taken);
    if (event == PortEvent::Cancelled) return Cancelled{};
    return taken;
}

/// Without TLS.
Result<std::string> exchangeOpenly(const RemoteShell& shell, int port, std::string_view framed) {
    auto opened = PortConnection::open(shell, port, kDaemonTimeout);
    if (!opened.ok()) return opened.as<std::string>();
    PortEvent event = PortEvent::Ready;
    auto taken = converse(opened.value(), framed, event);
    if (taken.ok() && taken.value().empty() && event == PortEvent::Closed && opened.value().isRefused())
        return daemonError("capture.daemon.unreachable", shell, port);
    return taken;
}

/// Whether whoever listens there takes certificates only. One that does says nothing to what is no TLS.
/// @return Cancelled; a connection that fails now says nothing of it.
Result<bool> speaksTls(const RemoteShell& shell, int port) {
    const auto greeted = exchangeOpenly(shell, port, tlsGreeting());
    if (greeted.cancelled()) return Cancelled{};
    return greeted.ok() && isTls(greeted.value());
}

/// Whether whoever listens there replies to what is no TLS.
bool speaksOpenly(const RemoteShell& shell, int port) {
    const auto reply = exchangeOpenly(shell, port, framedRequest(R"({"fn":"getStatus"})"));
    return reply.ok() && replyLength(reply.value()) && !isTls(reply.value());
}

/// Whom the daemon's certificate may be for.
std::vector<std::string> namesOf(const RemoteShell& shell, const DaemonAccess& access) {
    if (!access.serverName.empty()) return {access.serverName};
    std::vector<std::string> names{"localhost", "127.0.0.1", "::1"};
    std::string host = shell.target().destination;
    host.erase(0, host.find('@') + 1);
    if (host.size() > 2 && host.front() == '[' && host.back() == ']') host = host.substr(1, host.size() - 2);
    if (!shell.target().isLocal) names.push_back(host);
    return names;
}

/// With TLS.
Result<std::string> exchangeSecurely(const RemoteShell& shell, const DaemonAccess& access, std::string_view framed) {
    auto opened = PortConnection::open(shell, access.port, kDaemonTimeout);
    if (!opened.ok()) return opened.as<std::string>();
    TlsConnection tls(*access.identity, opened.value());
    const auto problemOf = [&](Error problem) {
        problem.parameters.emplace_back("host", shell.target().name);
        problem.parameters.emplace_back("port", std::to_string(access.port));
        return problem;
    };
    if (const auto greeted = tls.handshake(namesOf(shell, access)); greeted.failed()) {
        if (greeted.error().code != "capture.tls.closed") return problemOf(greeted.error());
        if (opened.value().isRefused()) return daemonError("capture.daemon.unreachable", shell, access.port);
        const bool isOpen = speaksOpenly(shell, access.port);
        return daemonError(isOpen ? "capture.tls.none" : "capture.tls.closed", shell, access.port);
    } else if (greeted.cancelled()) {
        return Cancelled{};
    }
    PortEvent event = PortEvent::Ready;
    auto taken = converse(tls, framed, event);
    if (taken.ok() && !tls.refusal().empty())
        return problemOf(Error{"capture.tls.refused", {}, {}, {{"reason", tls.refusal()}}});
    return taken;
}

std::string memberOf(const DaemonReply& reply, std::string_view name) {
    const auto found = reply.find(name);
    return found == reply.end() ? std::string() : found->second;
}

}  // namespace

Result<DaemonReply> callDaemon(const RemoteShell& shell, const DaemonAccess& access, std::string_view request) {
    const int port = access.port;
    if (request.size() > kMaxRequestBytes) {
        Error problem = daemonError("capture.daemon.too_long", shell, port);
        problem.parameters.emplace_back("limit", std::to_string(kMaxRequestBytes));
        return problem;
    }
    if (!shell.target().runtime.empty()) return daemonError("capture.daemon.no_tunnel", shell, port);
    const std::string framed = framedRequest(request);
    const bool isSecure = access.identity.has_value();
    const auto exchanged = isSecure ? exchangeSecurely(shell, access, framed) : exchangeOpenly(shell, port, framed);
    if (!exchanged.ok()) return exchanged.as<DaemonReply>();
    const std::string_view bytes = exchanged.value();
    if (!isSecure) {
        const auto isSecured = bytes.empty() ? speaksTls(shell, port) : Result<bool>(isTls(bytes));
        if (!isSecured.ok()) return isSecured.as<DaemonReply>();
        if (isSecured.value()) return daemonError("capture.daemon.certificates", shell, port);
    }
    if (bytes.empty()) return daemonError("capture.daemon.no_reply", shell, port);
    const auto length = replyLength(bytes);
    if (!length || *length == 0 || *length > kMaxReplyBytes || bytes.size() < *length + kLengthBytes)
        return daemonError("capture.daemon.bad_reply", shell, port);
    const std::string_view text = std::string_view(bytes).substr(kLengthBytes, *length);
    if (isNestedDeeper(text, kMaxReplyDepth)) return daemonError("capture.daemon.bad_reply", shell, port);
    const DaemonJson parsed = parseJson(text);
    if (!parsed.is_object()) return daemonError("capture.daemon.bad_reply", shell, port);
    DaemonReply reply;
    for (const auto& [name, value] : parsed.items()) reply.emplace(name, plainJson(value));
    return reply;
}

Result<DaemonStatus> daemonStatus(const RemoteShell& shell, const DaemonAccess& access) {
    const auto reply = callDaemon(shell, access, R"({"fn":"getStatus"})");
    if (!reply.ok()) return reply.as<DaemonStatus>();
    const auto member = [&reply](std::string_view name) { return memberOf(reply.value(), name); };
    return DaemonStatus{member("nputrace"), member("npumonitor"), member("current_step"), member("start_step"),
                        member("stop_step")};
}

Result<AcceptedRequest> requestRecording(const RemoteShell& shell, const DaemonAccess& access,
                                         std::string_view request) {
    const auto reply = callDaemon(shell, access, request);
    if (!reply.ok()) return reply.as<AcceptedRequest>();
    const auto member = [&reply](std::string_view name) { return memberOf(reply.value(), name); };
    const auto problem = [&](const char* code, const std::string& reason = {}) {
        Error error = daemonError(code, shell, access.port);
        error.parameters.emplace_back("reason", reason);
        return error;
    };
    if (const std::string status = member("status"); !status.empty() && member("processesMatched").empty())
        return problem("capture.daemon.refused", status);
    // Older daemons say nothing about it.
    const std::string command = member("commandStatus");
    const bool hasMatches = member("processesMatched") != "[]" && !member("processesMatched").empty();
    if (command == "unknown") return problem("capture.daemon.old_plugin");
    if (command == "ineffective") {
        const auto status = daemonStatus(shell, access);
        if (!status.ok()) return status.as<AcceptedRequest>();
        const std::string& trace = status.value().trace;
        const std::string& monitor = status.value().monitor;
        if (trace == "Running" || monitor == "Running" || trace == "Ready")
            return problem("capture.daemon.other_runs",
                           trace == "Running" || trace == "Ready" ? "nputrace" : "npu-monitor");
        if (trace == "Uninitialized" || monitor == "Uninitialized") return problem("capture.daemon.no_job");
        return problem("capture.daemon.no_match");
    }
    if (!command.empty() && command != "effective") return problem("capture.daemon.refused", command);
    if (!hasMatches) return problem("capture.daemon.no_match");
    const auto busy = [&](std::string_view name) { return wholeNumber(member(name)).value_or(0) > 0; };
    AcceptedRequest accepted{busy("activityProfilersBusy") || busy("eventProfilersBusy"), {}};
    const DaemonJson matched = parseJson(member("processesMatched"));
    for (const auto& process : matched) {
        if (process.is_number_integer()) accepted.processes.push_back(process.template get<std::int64_t>());
    }
    return accepted;
}

}  // namespace altiscope::capture
