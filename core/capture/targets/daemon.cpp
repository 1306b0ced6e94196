#include "core/capture/targets/daemon.h"

#include "core/base/parse.h"
#include "core/capture/targets/process.h"

#include <nlohmann/json.hpp>

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <optional>

#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

using DaemonJson = nlohmann::json;

constexpr std::size_t kMaxRequestBytes = 8191, kMaxReplyBytes = std::size_t{1} << 20, kLengthBytes = 4;
constexpr std::chrono::seconds kDaemonTimeout(10);
constexpr int kDaemonPollMs = 50;

std::string lengthBytes(std::size_t length) {
    std::string bytes;
    for (std::size_t i = 0; i < kLengthBytes; ++i) bytes += static_cast<char>((length >> (8 * i)) & 0xff);
    return bytes;
}

/// nullopt: not yet known, or never a length.
std::optional<std::size_t> replyLength(std::string_view bytes) {
    if (bytes.size() < kLengthBytes) return std::nullopt;
    std::size_t length = 0;
    for (std::size_t i = 0; i < kLengthBytes; ++i)
        length |= static_cast<std::size_t>(static_cast<unsigned char>(bytes[i])) << (8 * i);
    return length;
}

/// Whether a reply is the beginning of a record of TLS, an alert or a handshake (RFC 8446, 5.1): as a length
/// of a reply it would be one of 768 bytes and more that never come.
bool isTls(std::string_view bytes) {
    return bytes.size() > 1 && (bytes[0] == '\x15' || bytes[0] == '\x16') && bytes[1] == '\x03';
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

/// A socket that closes itself.
class Socket {
public:
    explicit Socket(int descriptor) : m_descriptor(descriptor) {}
    ~Socket() {
        if (m_descriptor >= 0) ::close(m_descriptor);
    }
    Socket(const Socket&) = delete;
    Socket& operator=(const Socket&) = delete;
    int descriptor() const { return m_descriptor; }

private:
    int m_descriptor;
};

enum class Wait { Ready, Late, Cancelled };

Wait waitForSocket(int socket, short events, std::chrono::steady_clock::time_point deadline,
                   const Interrupted& interrupted) {
    while (true) {
        if (interrupted && interrupted()) return Wait::Cancelled;
        if (std::chrono::steady_clock::now() > deadline) return Wait::Late;
        pollfd waited{socket, events, 0};
        if (::poll(&waited, 1, kDaemonPollMs) > 0) return Wait::Ready;
    }
}

Error daemonError(const char* code, const RemoteShell& shell, int port) {
    return Error{code, {}, {}, {{"host", shell.target().name}, {"port", std::to_string(port)}}};
}

/// All that the daemon sends until it closes, or until its reply is whole.
Result<std::string> exchangeHere(const RemoteShell& shell, int port, std::string_view framed) {
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* addresses = nullptr;
    if (::getaddrinfo("localhost", std::to_string(port).c_str(), &wanted, &addresses) != 0)
        return daemonError("capture.daemon.unreachable", shell, port);
    const auto deadline = std::chrono::steady_clock::now() + kDaemonTimeout;
    Result<std::string> reply = daemonError("capture.daemon.unreachable", shell, port);
    for (const addrinfo* address = addresses; address != nullptr; address = address->ai_next) {
        const Socket socket(::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
        if (socket.descriptor() < 0) continue;
        if (::connect(socket.descriptor(), address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS)
            continue;
        const Wait connected = waitForSocket(socket.descriptor(), POLLOUT, deadline, shell.interrupted());
        if (connected == Wait::Cancelled) reply = Cancelled{};
        int problem = 0;
        socklen_t size = sizeof problem;
        ::getsockopt(socket.descriptor(), SOL_SOCKET, SO_ERROR, &problem, &size);
        if (connected == Wait::Cancelled) break;
        if (connected != Wait::Ready || problem != 0) continue;
        std::string taken;
        Wait state = Wait::Ready;
        std::string_view rest = framed;
        while (!rest.empty() && state == Wait::Ready) {
            state = waitForSocket(socket.descriptor(), POLLOUT, deadline, shell.interrupted());
            const ssize_t sent = ::send(socket.descriptor(), rest.data(), rest.size(), MSG_NOSIGNAL);
            if (sent < 0 && errno != EAGAIN) break;
            if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
        }
        while (rest.empty() && state == Wait::Ready) {
            state = waitForSocket(socket.descriptor(), POLLIN, deadline, shell.interrupted());
            if (state != Wait::Ready) break;
            std::array<char, 4096> buffer;
            const ssize_t read = ::recv(socket.descriptor(), buffer.data(), buffer.size(), 0);
            if (read == 0 || (read < 0 && errno != EAGAIN)) break;
            if (read > 0) taken.append(buffer.data(), static_cast<std::size_t>(read));
            const auto length = replyLength(taken);
            if (length && (*length > kMaxReplyBytes || taken.size() >= *length + kLengthBytes)) break;
            if (isTls(taken)) break;
        }
        if (state == Wait::Cancelled) reply = Cancelled{};
        else reply = std::move(taken);
        break;
    }
    ::freeaddrinfo(addresses);
    return reply;
}

Result<std::string> exchangeThere(const RemoteShell& shell, int port, std::string_view framed) {
    std::vector<std::string> words = shell.sshWords();
    words.insert(words.end(), {"-W", "localhost:" + std::to_string(port), "--", shell.target().destination});
    auto ended = runProcess(words, framed, {kMaxReplyBytes + kLengthBytes, kDaemonTimeout}, shell.interrupted(), {});
    if (ended.failed() && ended.error().code == "capture.remote.timeout")
        return daemonError("capture.daemon.no_reply", shell, port);
    if (!ended.ok()) return ended.as<std::string>();
    if (ended.value().output.empty() && ended.value().status != 0)
        return daemonError("capture.daemon.unreachable", shell, port);
    return std::move(ended.value().output);
}

Result<std::string> exchangeWith(const RemoteShell& shell, int port, std::string_view framed) {
    return shell.target().isLocal ? exchangeHere(shell, port, framed) : exchangeThere(shell, port, framed);
}

/// Whether whoever listens there takes certificates only. One that does says nothing to what is no TLS.
/// @return Cancelled; a connection that fails now says nothing of it.
Result<bool> speaksTls(const RemoteShell& shell, int port) {
    const auto greeted = exchangeWith(shell, port, tlsGreeting());
    if (greeted.cancelled()) return Cancelled{};
    return greeted.ok() && isTls(greeted.value());
}

std::string plainMember(const DaemonJson& value) {
    if (value.is_string()) return value.get<std::string>();
    if (value.is_array()) return std::to_string(value.size());
    return value.dump(-1, ' ', false, DaemonJson::error_handler_t::replace);
}

std::string memberOf(const DaemonReply& reply, std::string_view name) {
    const auto found = reply.find(name);
    return found == reply.end() ? std::string() : found->second;
}

}  // namespace

Result<DaemonReply> callDaemon(const RemoteShell& shell, int port, std::string_view request) {
    if (request.size() > kMaxRequestBytes) {
        Error problem = daemonError("capture.daemon.too_long", shell, port);
        problem.parameters.emplace_back("limit", std::to_string(kMaxRequestBytes));
        return problem;
    }
    if (!shell.target().runtime.empty()) return daemonError("capture.daemon.no_tunnel", shell, port);
    const std::string framed = lengthBytes(request.size()) + std::string(request);
    const auto exchanged = exchangeWith(shell, port, framed);
    if (!exchanged.ok()) return exchanged.as<DaemonReply>();
    const std::string_view bytes = exchanged.value();
    const auto isSecured = bytes.empty() ? speaksTls(shell, port) : Result<bool>(isTls(bytes));
    if (!isSecured.ok()) return isSecured.as<DaemonReply>();
    if (isSecured.value()) return daemonError("capture.daemon.certificates", shell, port);
    if (bytes.empty()) return daemonError("capture.daemon.no_reply", shell, port);
    const auto length = replyLength(bytes);
    if (!length || *length == 0 || *length > kMaxReplyBytes || bytes.size() < *length + kLengthBytes)
        return daemonError("capture.daemon.bad_reply", shell, port);
    const DaemonJson parsed = DaemonJson::parse(bytes.substr(kLengthBytes, *length), nullptr, false);
    if (!parsed.is_object()) return daemonError("capture.daemon.bad_reply", shell, port);
    DaemonReply reply;
    for (const auto& [name, value] : parsed.items()) reply.emplace(name, plainMember(value));
    return reply;
}

Result<DaemonStatus> daemonStatus(const RemoteShell& shell, int port) {
    const auto reply = callDaemon(shell, port, R"({"fn":"getStatus"})");
    if (!reply.ok()) return reply.as<DaemonStatus>();
    const auto member = [&reply](std::string_view name) { return memberOf(reply.value(), name); };
    return DaemonStatus{member("nputrace"), member("npumonitor"), member("current_step"), member("start_step"),
                        member("stop_step")};
}

Result<bool> requestRecording(const RemoteShell& shell, int port, std::string_view request) {
    const auto reply = callDaemon(shell, port, request);
    if (!reply.ok()) return reply.as<bool>();
    const auto member = [&reply](std::string_view name) { return memberOf(reply.value(), name); };
    const auto problem = [&](const char* code, const std::string& reason = {}) {
        Error error = daemonError(code, shell, port);
        error.parameters.emplace_back("reason", reason);
        return error;
    };
    if (const std::string status = member("status"); !status.empty() && member("processesMatched").empty())
        return problem("capture.daemon.refused", status);
    // Older daemons say nothing about it.
    const std::string command = member("commandStatus");
    const bool hasMatches = member("processesMatched") != "0" && !member("processesMatched").empty();
    if (command == "unknown") return problem("capture.daemon.old_plugin");
    if (command == "ineffective") {
        const auto status = daemonStatus(shell, port);
        if (!status.ok()) return status.as<bool>();
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
    return busy("activityProfilersBusy") || busy("eventProfilersBusy");
}

}  // namespace altiscope::capture
