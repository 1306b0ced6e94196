#include "core/capture/targets/remote_shell.h"

#include "core/base/parse.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/targets/process.h"
#include "core/capture/targets/ssh_command.h"

#include <QRandomGenerator>

#include <atomic>

#include <unistd.h>

namespace altiscope::capture {

namespace {

/// A line that no output has by accident, and that no file can foresee.
std::string newMark() {
    std::string mark = "altiscope-";
    for (int i = 0; i < 4; ++i) {
        mark += std::to_string(QRandomGenerator::system()->generate());
        mark += '-';
    }
    return mark;
}

/// What the shell reads. The whole is one compound command, so that it is read to its end before anything of it runs,
/// and no child reads the rest of it.
std::string wholeScript(std::string_view script, std::span<const std::string> arguments, const std::string& mark) {
    std::string text = "{ printf '\\n%s\\n' '" + mark + "begin'; (\nLC_ALL=C; export LC_ALL; set --";
    for (const std::string& argument : arguments) text += " " + shellQuoted(argument);
    text += "\nout() { printf '%s=%s\\0' \"$1\" \"$2\"; }\n";
    text += script;
    return text + "\n); printf '\\n%s %s\\n' '" + mark + "end' \"$?\"; exit 0; } </dev/null\n";
}

}  // namespace

Result<RemoteShell> RemoteShell::open(const Target& target, Interrupted interrupted, const Askpass& askpass) {
    RemoteShell shell(target, std::move(interrupted));
    if (target.isLocal) return shell;
    shell.m_isAsking = askpass.isAsking;
    if (const std::string folder = controlFolder(); !folder.empty()) {
        // Each has its own: the end of one must not end the connection of another.
        static std::atomic<unsigned> opened = 0;
        shell.m_controlPath = folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(opened++) + "-%C";
    }
    auto words = sshCommand(target, shell.m_controlPath, shell.m_interrupted, askpass);
    if (!words.ok()) return words.as<RemoteShell>();
    shell.m_sshWords = std::move(words).value();
    return shell;
}

RemoteShell::RemoteShell(RemoteShell&& other) noexcept
    : m_target(std::move(other.m_target)), m_interrupted(std::move(other.m_interrupted)),
      m_sshWords(std::move(other.m_sshWords)), m_isAsking(std::move(other.m_isAsking)),
      m_controlPath(std::move(other.m_controlPath)), m_connected(std::exchange(other.m_connected, false)) {}

RemoteShell::~RemoteShell() {
    if (!m_connected || m_controlPath.empty()) return;
    std::vector<std::string> words = m_sshWords;
    words.insert(words.end(), {"-O", "exit", "--", m_target.destination});
    // The connection ends by itself where this fails.
    [[maybe_unused]] const auto ended = runProcess(words, {}, {1 << 16, std::chrono::seconds(5)}, {}, false);
}

Result<ShellReply> RemoteShell::run(std::string_view script, std::span<const std::string> arguments,
                                    const ShellLimits& limits) const {
    const std::string mark = newMark();
    std::vector<std::string> words{"/bin/sh", "-s"};
    if (!m_target.isLocal) {
        words = m_sshWords;
        // A constant: the login shell there, whatever it is, sees nothing of the user's.
        words.insert(words.end(), {"-T", "--", m_target.destination, "exec /bin/sh -s"});
        m_connected = true;
    }
    ShellLimits own = limits;
    if (m_isAsking) own.isPaused = m_isAsking;
    auto ended = runProcess(words, wholeScript(script, arguments, mark), own, m_interrupted, m_target.isLocal);
    if (!ended.ok()) return ended.as<ShellReply>();
    const std::string& output = ended.value().output;
    const std::string begin = "\n" + mark + "begin\n", end = "\n" + mark + "end ";
    const auto first = output.find(begin), last = output.rfind(end);
    if (first == std::string::npos || last == std::string::npos || last + 1 < first + begin.size()) {
        if (!m_target.isLocal && ended.value().status == 255) return sshError(m_target, ended.value().errors);
        return Error{"capture.remote.no_reply", {}, {}, {{"host", m_target.name}}};
    }
    const std::size_t from = first + begin.size(), statusAt = last + end.size();
    ShellReply reply;
    reply.status = wholeNumber<int>(std::string_view(output).substr(statusAt, output.find('\n', statusAt) - statusAt))
                       .value_or(-1);
    reply.output = last < from ? std::string() : output.substr(from, last - from);
    reply.errors = std::move(ended.value().errors);
    return reply;
}

std::map<std::string, std::string, std::less<>> replyRecords(std::string_view output) {
    std::map<std::string, std::string, std::less<>> records;
    while (!output.empty()) {
        const std::string_view record = output.substr(0, output.find('\0'));
        output.remove_prefix(std::min(output.size(), record.size() + 1));
        const auto equals = record.find('=');
        if (equals != std::string_view::npos)
            records[std::string(record.substr(0, equals))] = record.substr(equals + 1);
    }
    return records;
}

}  // namespace altiscope::capture
