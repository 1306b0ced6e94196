#include "core/capture/targets/port_connection.h"

#include "core/capture/targets/process.h"

#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <array>
#include <cerrno>
#include <optional>
#include <utility>

#include <netdb.h>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr int kPortPollMs = 50, kSshEndMs = 1000;

Error unreachable(const RemoteShell& shell, int port) {
    return Error{"capture.daemon.unreachable", {}, {}, {{"host", shell.target().name}, {"port", std::to_string(port)}}};
}

}  // namespace

PortConnection::PortConnection(int descriptor, const RemoteShell& shell, std::chrono::steady_clock::time_point deadline)
    : m_descriptor(descriptor), m_shell(&shell), m_deadline(deadline) {}

PortConnection::PortConnection(PortConnection&& other) noexcept
    : m_descriptor(std::exchange(other.m_descriptor, -1)), m_shell(other.m_shell), m_deadline(other.m_deadline),
      m_ssh(std::move(other.m_ssh)) {}

PortConnection::~PortConnection() {
    if (m_descriptor >= 0) ::close(m_descriptor);
    if (!m_ssh || m_ssh->state() == QProcess::NotRunning) return;
    m_ssh->kill();
    m_ssh->waitForFinished(kSshEndMs);
}

Result<PortConnection> PortConnection::open(const RemoteShell& shell, int port, std::chrono::seconds timeout) {
    const auto deadline = std::chrono::steady_clock::now() + timeout;
    if (!shell.target().isLocal) {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0) return unreachable(shell, port);
        PortConnection connection(ends[0], shell, deadline);
        const int other = ends[1];
        auto& ssh = connection.m_ssh = std::make_unique<QProcess>();
        const std::vector<std::string>& words = shell.sshWords();
        QStringList arguments;
        for (std::size_t i = 1; i < words.size(); ++i) arguments << processWord(words[i]);
        arguments << QStringLiteral("-W") << QStringLiteral("localhost:%1").arg(port) << QStringLiteral("--")
                  << processWord(shell.target().destination);
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
        ssh->setProcessEnvironment(environment);
        ssh->setChildProcessModifier([other] {
            ::dup2(other, STDIN_FILENO);
            ::dup2(other, STDOUT_FILENO);
        });
        ssh->start(processWord(words[0]), arguments);
        const bool isStarted = ssh->waitForStarted();
        ::close(other);
        if (!isStarted) return Error{"capture.program.missing", {}, {}, {{"program", words[0]}}};
        return connection;
    }
    addrinfo wanted{};
    wanted.ai_socktype = SOCK_STREAM;
    addrinfo* addresses = nullptr;
    // No name means this machine, also where no file says what "localhost" is.
    if (::getaddrinfo(nullptr, std::to_string(port).c_str(), &wanted, &addresses) != 0) return unreachable(shell, port);
    std::optional<PortConnection> opened;
    bool isCancelled = false;
    for (const addrinfo* address = addresses; address != nullptr && !opened && !isCancelled;
         address = address->ai_next) {
        const int descriptor = ::socket(address->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
        if (descriptor < 0) continue;
        PortConnection connection(descriptor, shell, deadline);
        if (::connect(descriptor, address->ai_addr, address->ai_addrlen) != 0 && errno != EINPROGRESS) continue;
        const PortEvent connected = connection.wait(POLLOUT);
        int problem = 0;
        socklen_t size = sizeof problem;
        ::getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &problem, &size);
        isCancelled = connected == PortEvent::Cancelled;
        if (connected == PortEvent::Ready && problem == 0) opened.emplace(std::move(connection));
    }
    ::freeaddrinfo(addresses);
    if (isCancelled) return Cancelled{};
    if (!opened) return unreachable(shell, port);
    return std::move(*opened);
}

PortEvent PortConnection::wait(short events) const {
    const CancelCheck& cancelCheck = m_shell->cancelCheck();
    while (true) {
        if (cancelCheck && cancelCheck()) return PortEvent::Cancelled;
        if (std::chrono::steady_clock::now() > m_deadline) return PortEvent::Late;
        pollfd waited{m_descriptor, events, 0};
        if (::poll(&waited, 1, kPortPollMs) > 0) return PortEvent::Ready;
    }
}

PortEvent PortConnection::send(std::string_view bytes) {
    while (!bytes.empty()) {
        if (const PortEvent event = wait(POLLOUT); event != PortEvent::Ready) return event;
        const ssize_t sent = ::send(m_descriptor, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent < 0 && errno != EAGAIN && errno != EINTR) return PortEvent::Closed;
        if (sent > 0) bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
    return PortEvent::Ready;
}

PortEvent PortConnection::receive(std::string& bytes) {
    while (true) {
        if (const PortEvent event = wait(POLLIN); event != PortEvent::Ready) return event;
        std::array<char, 4096> buffer;
        const ssize_t got = ::recv(m_descriptor, buffer.data(), buffer.size(), MSG_DONTWAIT);
        if (got == 0 || (got < 0 && errno != EAGAIN && errno != EINTR)) return PortEvent::Closed;
        if (got < 0) continue;
        bytes.append(buffer.data(), static_cast<std::size_t>(got));
        return PortEvent::Ready;
    }
}

bool PortConnection::isRefused() const {
    if (!m_ssh) return false;
    if (m_ssh->state() != QProcess::NotRunning && !m_ssh->waitForFinished(kSshEndMs)) return false;
    return m_ssh->exitStatus() != QProcess::NormalExit || m_ssh->exitCode() != 0;
}

}  // namespace altiscope::capture
