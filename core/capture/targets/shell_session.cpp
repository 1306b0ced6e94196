#include "core/capture/targets/shell_session.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <poll.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace altiscope::capture {

namespace {

constexpr int kSessionPollMs = 50;
constexpr std::size_t kMaxSessionErrors = std::size_t{64} << 10;
/// A shell whose output nobody waits for may still write so much at once.
constexpr std::size_t kKeptOfDropped = 4096;
constexpr auto kEndTick = std::chrono::milliseconds(20);
constexpr int kEndTicks = 50;

/// The environment with the language of messages that we read.
std::vector<std::string> plainEnvironment() {
    std::vector<std::string> words;
    for (char** word = environ; *word != nullptr; ++word) {
        if (std::string_view(*word).rfind("LC_ALL=", 0) != 0) words.emplace_back(*word);
    }
    words.emplace_back("LC_ALL=C");
    return words;
}

std::vector<char*> pointersTo(std::vector<std::string>& words) {
    std::vector<char*> pointers;
    for (std::string& word : words) pointers.push_back(word.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// A pair of connected ends, ours first: a socket, because writing to a pipe that nobody reads ends a process.
bool openPair(std::array<int, 2>& ends) {
    return ::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) == 0 &&
           ::fcntl(ends[0], F_SETFL, O_NONBLOCK) == 0;
}

void closeAll(std::initializer_list<int> descriptors) {
    for (const int descriptor : descriptors) {
        if (descriptor >= 0) ::close(descriptor);
    }
}

/// Appends what there is, of that at most `room` bytes; who never stops to write gets another turn later. @return False
/// at the end.
bool readSome(int descriptor, std::string& text, std::size_t room) {
    static constexpr int kTurns = 32;
    for (int i = 0; i < kTurns; ++i) {
        std::array<char, 65536> buffer;
        const ssize_t read = ::read(descriptor, buffer.data(), buffer.size());
        if (read == 0) return false;
        if (read < 0) return errno == EAGAIN || errno == EINTR;
        const std::size_t kept = text.size() < room ? room - text.size() : 0;
        text.append(buffer.data(), std::min(kept, static_cast<std::size_t>(read)));
        if (static_cast<std::size_t>(read) < buffer.size()) return true;
        if (text.size() >= room) return true;
    }
    return true;
}

/// Whether the line with the mark is whole.
bool hasLine(const std::string& output, const std::string& mark) {
    const auto at = output.rfind(mark);
    return at != std::string::npos && output.find('\n', at + mark.size()) != std::string::npos;
}

}  // namespace

std::unique_ptr<ShellSession> ShellSession::start(const std::vector<std::string>& words) {
    std::array<int, 2> input{-1, -1}, output{-1, -1}, errors{-1, -1}, failed{-1, -1};
    const auto closeEnds = [&] {
        closeAll({input[0], input[1], output[0], output[1], errors[0], errors[1], failed[0], failed[1]});
    };
    if (!openPair(input) || !openPair(output) || !openPair(errors) || ::pipe2(failed.data(), O_CLOEXEC) != 0) {
        closeEnds();
        return nullptr;
    }
    std::vector<std::string> arguments = words, environment = plainEnvironment();
    const std::vector<char*> argumentWords = pointersTo(arguments), environmentWords = pointersTo(environment);
    const pid_t process = ::fork();
    if (process == 0) {
        // Only calls that are safe between fork and exec of a program with threads.
        ::dup2(input[1], 0);
        ::dup2(output[1], 1);
        ::dup2(errors[1], 2);
        ::signal(SIGINT, SIG_IGN);
        ::signal(SIGPIPE, SIG_DFL);
        sigset_t none;
        ::sigemptyset(&none);
        ::pthread_sigmask(SIG_SETMASK, &none, nullptr);
        ::execvpe(argumentWords[0], argumentWords.data(), environmentWords.data());
        const char byte = 1;
        [[maybe_unused]] const auto written = ::write(failed[1], &byte, 1);
        ::_exit(127);
    }
    if (process < 0) {
        closeEnds();
        return nullptr;
    }
    closeAll({input[1], output[1], errors[1], failed[1]});
    char byte = 0;
    const bool isMissing = ::read(failed[0], &byte, 1) == 1;
    ::close(failed[0]);
    std::unique_ptr<ShellSession> session(new ShellSession(process, input[0], output[0], errors[0]));
    return isMissing ? nullptr : std::move(session);
}

ShellSession::~ShellSession() {
    beginClose();
    waitForEnd();
    kill();
    closeAll({m_output, m_errors});
}

void ShellSession::beginClose() { closeAll({std::exchange(m_input, -1)}); }

void ShellSession::waitForEnd() {
    std::string nothing;
    for (int i = 0; i < kEndTicks && !m_isReaped; ++i) {
        // What it still writes must not stop it from ending.
        readSome(m_output, nothing, 0);
        int status = 0;
        if (::waitpid(m_process, &status, WNOHANG) == m_process) {
            m_isReaped = true;
            m_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
        } else {
            std::this_thread::sleep_for(kEndTick);
        }
    }
}

int ShellSession::kill() {
    if (m_isReaped) return m_status;
    ::kill(m_process, SIGKILL);
    int status = 0;
    while (::waitpid(m_process, &status, 0) < 0 && errno == EINTR) {}
    m_isReaped = true;
    m_status = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    return m_status;
}

bool ShellSession::take(std::string& output, std::string& errors) {
    m_hasErrors = m_hasErrors && readSome(m_errors, errors, kMaxSessionErrors);
    return readSome(m_output, output, std::string::npos);
}

ShellSession::Condition ShellSession::condition() {
    if (m_isReaped) return Condition::Broken;
    std::string output, errors;
    // While nothing runs there is nothing to read but the end.
    const bool isOpen = take(output, errors);
    if (!isOpen) return Condition::Broken;
    if (m_awaited.empty()) return Condition::Idle;
    m_dropped += output;
    if (hasLine(m_dropped, m_awaited)) {
        m_awaited.clear();
        m_dropped.clear();
        return Condition::Idle;
    }
    if (m_dropped.size() > kKeptOfDropped) m_dropped.erase(0, m_dropped.size() - kKeptOfDropped);
    return Condition::Busy;
}

Exchange ShellSession::exchange(std::string_view text, const std::string& mark, const ShellLimits& limits,
                                const CancelCheck& cancelCheck) {
    Exchange done;
    auto before = std::chrono::steady_clock::now();
    auto deadline = before + limits.timeout;
    std::string_view rest = text;
    std::size_t looked = 0;
    while (true) {
        pollfd waited[] = {
            {m_output, POLLIN, 0}, {m_hasErrors ? m_errors : -1, POLLIN, 0}, {rest.empty() ? -1 : m_input, POLLOUT, 0}};
        ::poll(waited, 3, kSessionPollMs);
        if (!rest.empty()) {
            const ssize_t sent = ::send(m_input, rest.data(), rest.size(), MSG_NOSIGNAL);
            if (sent > 0) rest.remove_prefix(static_cast<std::size_t>(sent));
        }
        const bool isOpen = take(done.output, done.errors);
        // Only what is new, and as much as a mark before it, needs to be looked at.
        const std::size_t from = looked > mark.size() ? looked - mark.size() : 0;
        const auto at = done.output.find(mark, from);
        if (at != std::string::npos && done.output.find('\n', at + mark.size()) != std::string::npos) {
            done.end = Exchange::End::Replied;
            return done;
        }
        looked = at != std::string::npos ? at + mark.size() : done.output.size();
        const auto now = std::chrono::steady_clock::now();
        if (limits.isPaused && limits.isPaused()) deadline += now - before;
        before = now;
        if (!isOpen) {
            // The last words of a program that fails come before its end.
            waitForEnd();
            done.status = kill();
            readSome(m_errors, done.errors, kMaxSessionErrors);
            done.end = Exchange::End::Broken;
            return done;
        }
        if (cancelCheck && cancelCheck()) {
            // What was not sent whole would be run with whatever comes next.
            if (!rest.empty()) kill();
            m_awaited = mark;
            m_dropped = done.output.size() > kKeptOfDropped ? done.output.substr(done.output.size() - kKeptOfDropped)
                                                            : done.output;
            done.end = Exchange::End::Cancelled;
            return done;
        }
        if (done.output.size() > limits.maxBytes || now > deadline) {
            done.end = done.output.size() > limits.maxBytes ? Exchange::End::TooMuch : Exchange::End::Late;
            kill();
            return done;
        }
    }
}

}  // namespace altiscope::capture
