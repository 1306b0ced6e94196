#include "core/capture/targets/password.h"

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <string_view>
#include <vector>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr int kPasswordPollMs = 50;

/// A line that comes from a descriptor, without its end.
/// @return Its length; 0 if there is none, or it does not fit.
Result<std::size_t> readSecret(int descriptor, std::span<char> answer, const CancelCheck& cancelCheck) {
    std::size_t size = 0;
    while (true) {
        if (cancelCheck && cancelCheck()) return Cancelled{};
        pollfd waited{descriptor, POLLIN, 0};
        if (::poll(&waited, 1, kPasswordPollMs) <= 0) continue;
        char byte = 0;
        const ssize_t got = ::read(descriptor, &byte, 1);
        if (got < 0 && errno == EINTR) continue;
        if (got <= 0 || byte == '\n') return size;
        if (size == answer.size()) return std::size_t{0};
        answer[size++] = byte;
    }
}

/// This process's environment with one more variable.
std::vector<std::string> environmentWith(const std::string& variable) {
    std::vector<std::string> all;
    const std::string name = variable.substr(0, variable.find('=') + 1);
    for (char** entry = ::environ; *entry != nullptr; ++entry) {
        if (name.empty() || !std::string_view(*entry).starts_with(name)) all.emplace_back(*entry);
    }
    if (!variable.empty()) all.push_back(variable);
    return all;
}

std::vector<char*> spawnPointers(std::vector<std::string>& texts) {
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    return pointers;
}

/// What a program prints when it is started with the prompt.
Result<std::size_t> runAskpass(const std::string& program, const std::string& variable, const std::string& prompt,
                               std::span<char> answer, const CancelCheck& cancelCheck) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0) return std::size_t{0};
    posix_spawn_file_actions_t actions;
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    ::posix_spawn_file_actions_adddup2(&actions, pipe[1], STDOUT_FILENO);
    std::vector<std::string> words{program, prompt}, environment = environmentWith(variable);
    const std::vector<char*> arguments = spawnPointers(words), variables = spawnPointers(environment);
    pid_t child = -1;
    const int problem = ::posix_spawnp(&child, program.c_str(), &actions, nullptr, arguments.data(), variables.data());
    ::posix_spawn_file_actions_destroy(&actions);
    ::close(pipe[1]);
    Result<std::size_t> size = std::size_t{0};
    int status = -1;
    if (problem == 0) {
        size = readSecret(pipe[0], answer, cancelCheck);
        if (size.cancelled()) ::kill(child, SIGTERM);
        while (::waitpid(child, &status, 0) < 0 && errno == EINTR) {}
    }
    ::close(pipe[0]);
    if (size.ok() && status != 0) return std::size_t{0};
    return size;
}

Result<std::size_t> promptOnTerminal(const std::string& prompt, std::span<char> answer,
                                     const CancelCheck& cancelCheck) {
    const int terminal = ::open("/dev/tty", O_RDWR | O_CLOEXEC | O_NOCTTY);
    if (terminal < 0) return std::size_t{0};
    termios before{};
    const bool isKnown = ::tcgetattr(terminal, &before) == 0;
    termios quiet = before;
    quiet.c_lflag &= ~static_cast<tcflag_t>(ECHO);
    quiet.c_lflag |= ECHONL;
    if (!isKnown || ::tcsetattr(terminal, TCSAFLUSH, &quiet) != 0) {
        ::close(terminal);
        return std::size_t{0};
    }
    [[maybe_unused]] const ssize_t written = ::write(terminal, prompt.data(), prompt.size());
    const auto size = readSecret(terminal, answer, cancelCheck);
    ::tcsetattr(terminal, TCSAFLUSH, &before);
    ::close(terminal);
    return size;
}

}  // namespace

bool canPromptUser() { return ::isatty(STDERR_FILENO) == 1 || std::getenv("SSH_ASKPASS") != nullptr; }

Result<std::size_t> promptPassword(const std::string& prompt, const Askpass& askpass, std::span<char> answer,
                                   const CancelCheck& cancelCheck) {
    if (!askpass.program.empty())
        return runAskpass(askpass.program, "ALTISCOPE_ASKPASS=" + askpass.socket, prompt, answer, cancelCheck);
    const bool hasTerminal = ::isatty(STDERR_FILENO) == 1;
    const char* require = std::getenv("SSH_ASKPASS_REQUIRE");
    const bool isPreferred =
        require != nullptr && (std::strcmp(require, "force") == 0 || std::strcmp(require, "prefer") == 0);
    const char* program = std::getenv("SSH_ASKPASS");
    if (program != nullptr && program[0] != '\0' && (isPreferred || !hasTerminal))
        return runAskpass(program, {}, prompt, answer, cancelCheck);
    if (!hasTerminal) return std::size_t{0};
    return promptOnTerminal(prompt, answer, cancelCheck);
}

}  // namespace altiscope::capture
