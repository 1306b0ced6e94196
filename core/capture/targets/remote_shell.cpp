#include "core/capture/targets/remote_shell.h"

#include "core/base/values/parse.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/targets/process.h"
#include "core/capture/targets/shell_session.h"
#include "core/capture/targets/ssh_command.h"

#include <QRandomGenerator>

#include <algorithm>
#include <atomic>
#include <semaphore>
#include <thread>

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
    return text + "\n); printf '\\n%s %s\\n' '" + mark + "end' \"$?\"; } </dev/null\n";
}

bool isThisMachine(const Target& target) { return target.isLocal && target.runtime.empty(); }

/// A place among those who connect at this moment: servers refuse what comes at once, above all one that all hosts are
/// reached through.
class ConnectionPlace {
public:
    /// Empty once `cancelCheck` says so.
    static std::unique_ptr<ConnectionPlace> wait(const CancelCheck& cancelCheck) {
        while (!(cancelCheck && cancelCheck())) {
            if (places().try_acquire_for(std::chrono::milliseconds(50)))
                return std::unique_ptr<ConnectionPlace>(new ConnectionPlace);
        }
        return nullptr;
    }
    ~ConnectionPlace() { places().release(); }
    ConnectionPlace(const ConnectionPlace&) = delete;
    ConnectionPlace& operator=(const ConnectionPlace&) = delete;

private:
    ConnectionPlace() = default;
    static std::counting_semaphore<>& places() {
        static std::counting_semaphore<> places(8);
        return places;
    }
};

/// Whether what runs in a session, though nobody waits for it any more, has come to its end. Most scripts are short:
/// another connection for each of many hosts would cost far more than to wait for them.
///
/// @param usual  What the last script took: where all is slow, so is another connection.
bool endsSoon(ShellSession& session, std::chrono::milliseconds usual, const CancelCheck& cancelCheck) {
    constexpr auto kMin = std::chrono::milliseconds(500), kMax = std::chrono::milliseconds(5000),
                   kTick = std::chrono::milliseconds(20);
    const auto deadline = std::chrono::steady_clock::now() + std::clamp(3 * usual, kMin, kMax);
    while (session.condition() == ShellSession::Condition::Busy) {
        if (std::chrono::steady_clock::now() > deadline || (cancelCheck && cancelCheck())) return false;
        std::this_thread::sleep_for(kTick);
    }
    return true;
}

}  // namespace

Result<RemoteShell> RemoteShell::open(const Target& target, CancelCheck cancelCheck, const Askpass& askpass) {
    RemoteShell shell(target, std::move(cancelCheck));
    if (target.isLocal) return shell;
    shell.m_isPrompting = askpass.isPrompting;
    if (const std::string folder = controlFolder(); !folder.empty()) {
        // Each has its own: the end of one must not end the connection of another.
        static std::atomic<unsigned> opened = 0;
        shell.m_controlPath = folder + "/" + std::to_string(::getpid()) + "-" + std::to_string(opened++);
    }
    auto words = sshCommand(target, shell.m_controlPath, shell.m_cancelCheck, askpass);
    if (!words.ok()) return words.as<RemoteShell>();
    shell.m_sshWords = std::move(words).value();
    return shell;
}

RemoteShell::RemoteShell(Target target, CancelCheck cancelCheck)
    : m_target(std::move(target)), m_cancelCheck(std::move(cancelCheck)) {}

RemoteShell::RemoteShell(RemoteShell&& other) noexcept = default;

RemoteShell::~RemoteShell() {
    const bool hadSession = m_session != nullptr;
    m_session.reset();
    // One that was killed leaves it behind.
    if (hadSession && !m_controlPath.empty()) ::unlink(m_controlPath.c_str());
}

void RemoteShell::beginClose() const {
    if (m_session) m_session->beginClose();
}

std::vector<std::string> RemoteShell::shellWords(bool isShared) const {
    const std::vector<std::string> container = containerWords(m_target);
    if (m_target.isLocal) return container.empty() ? std::vector<std::string>{"/bin/sh", "-s"} : container;
    std::vector<std::string> words = m_sshWords;
    if (isShared && !m_controlPath.empty()) words.push_back("-M");
    // A constant, but for the name of a container: the login shell there, whatever it is, sees nothing of the user's.
    std::string command = "exec";
    for (const std::string& word : container.empty() ? std::vector<std::string>{"/bin/sh", "-s"} : container)
        command += " " + word;
    words.insert(words.end(), {"-T", "--", m_target.destination, command});
    return words;
}

Result<ShellReply> RemoteShell::replyOf(const std::string& output, std::string errors, int status,
                                        const std::string& mark) const {
    const std::string begin = "\n" + mark + "begin\n", end = "\n" + mark + "end ";
    const auto first = output.find(begin), last = output.rfind(end);
    if (first == std::string::npos || last == std::string::npos || last + 1 < first + begin.size()) {
        if (!m_target.isLocal && status == 255) return sshError(m_target, errors);
        if (!m_target.runtime.empty()) {
            return Error{
                "capture.container.unreachable",
                {},
                {},
                {{"host", m_target.name}, {"runtime", m_target.runtime}, {"reason", std::string(lastLine(errors))}}};
        }
        return Error{"capture.remote.no_reply", {}, {}, {{"host", m_target.name}}};
    }
    const std::size_t from = first + begin.size(), statusAt = last + end.size();
    ShellReply reply;
    reply.status = wholeNumber<int>(std::string_view(output).substr(statusAt, output.find('\n', statusAt) - statusAt))
                       .value_or(-1);
    reply.output = last < from ? std::string() : output.substr(from, last - from);
    reply.errors = std::move(errors);
    return reply;
}

Result<ShellReply> RemoteShell::runInSession(const std::string& text, const std::string& mark,
                                             const ShellLimits& limits) const {
    std::unique_ptr<ConnectionPlace> place;
    if (!m_session) {
        place = ConnectionPlace::wait(m_cancelCheck);
        if (!place) return Cancelled{};
        if (!m_controlPath.empty()) ::unlink(m_controlPath.c_str());
        const auto words = shellWords(true);
        m_session = ShellSession::start(words);
        if (!m_session) return Error{"capture.program.missing", {}, {}, {{"program", words[0]}}};
    }
    const auto before = std::chrono::steady_clock::now();
    Exchange done = m_session->exchange(text, mark + "end ", limits, m_cancelCheck);
    if (done.end == Exchange::End::Replied && !place)
        m_lastTook = std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::steady_clock::now() - before);
    switch (done.end) {
    case Exchange::End::Replied: return replyOf(done.output, std::move(done.errors), 0, mark);
    case Exchange::End::Broken:
        m_session.reset();
        return replyOf(done.output, std::move(done.errors), done.status, mark);
    case Exchange::End::Cancelled:
        // One that has not come up may hang, or ask for a password.
        if (place && done.output.find(mark) == std::string::npos) {
            m_session->kill();
            m_session.reset();
        }
        return Cancelled{};
    case Exchange::End::Late:
        m_session.reset();
        return Error{"capture.remote.timeout",
                     {},
                     {},
                     {{"host", m_target.name}, {"seconds", std::to_string(limits.timeout.count())}}};
    case Exchange::End::TooMuch: m_session.reset(); break;
    }
    return Error{
        "capture.remote.too_much", {}, {}, {{"host", m_target.name}, {"limit", std::to_string(limits.maxBytes)}}};
}

Result<ShellReply> RemoteShell::run(std::string_view script, std::span<const std::string> arguments,
                                    const ShellLimits& limits) const {
    const std::string mark = newMark(), text = wholeScript(script, arguments, mark);
    ShellLimits own = limits;
    if (m_isPrompting) own.isPaused = m_isPrompting;
    const bool isBusy = m_session && !endsSoon(*m_session, m_lastTook, m_cancelCheck);
    if (m_session && m_session->condition() == ShellSession::Condition::Broken) m_session.reset();
    if (!isThisMachine(m_target) && !isBusy) return runInSession(text, mark, own);
    auto ended = runProcess(shellWords(false), text, own, m_cancelCheck, {m_target.isLocal, false});
    if (ended.failed()) {
        Error error = ended.error();
        for (auto& [name, value] : error.parameters) {
            if (name == "host") value = m_target.name;
        }
        return error;
    }
    if (!ended.ok()) return Cancelled{};
    return replyOf(ended.value().output, std::move(ended.value().errors), ended.value().status, mark);
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
