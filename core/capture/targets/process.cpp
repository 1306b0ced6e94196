#include "core/capture/targets/process.h"

#include <QByteArray>
#include <QProcess>
#include <QProcessEnvironment>
#include <QString>
#include <QStringList>

#include <csignal>

#include <sys/prctl.h>
#include <unistd.h>

namespace altiscope::capture {

namespace {

constexpr int kPollMs = 50;
constexpr std::size_t kMaxErrorBytes = std::size_t{64} << 10;

void end(QProcess& process, bool ownGroup) {
    if (ownGroup && process.processId() > 0) ::kill(static_cast<pid_t>(-process.processId()), SIGKILL);
    process.kill();
    process.waitForFinished(1000);
}

}  // namespace

QString processWord(const std::string& text) {
    return QString::fromLocal8Bit(text.data(), static_cast<qsizetype>(text.size()));
}

Result<ProcessEnd> runProcess(const std::vector<std::string>& words, std::string_view input, const ShellLimits& limits,
                              const CancelCheck& cancelCheck, const ProcessTies& ties,
                              const std::function<void(std::string_view)>& onOutput) {
    QProcess process;
    QStringList arguments;
    for (std::size_t i = 1; i < words.size(); ++i) arguments << processWord(words[i]);
    QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
    environment.insert(QStringLiteral("LC_ALL"), QStringLiteral("C"));
    process.setProcessEnvironment(environment);
    // Without one Qt may start a program without copying the page tables of this process, which may be large.
    if (ties.ownGroup || ties.endsWithUs) {
        process.setChildProcessModifier([ties] {
            if (ties.ownGroup) ::setpgid(0, 0);
            if (ties.endsWithUs) ::prctl(PR_SET_PDEATHSIG, SIGTERM);
        });
    }
    process.start(processWord(words[0]), arguments);
    if (!process.waitForStarted()) return Error{"capture.program.missing", {}, {}, {{"program", words[0]}}};
    process.write(input.data(), static_cast<qint64>(input.size()));
    process.closeWriteChannel();

    auto before = std::chrono::steady_clock::now();
    auto deadline = before + limits.timeout;
    ProcessEnd ended;
    const auto take = [&] {
        const QByteArray output = process.readAllStandardOutput(), errors = process.readAllStandardError();
        if (onOutput) onOutput({output.data(), static_cast<std::size_t>(output.size())});
        else ended.output.append(output.data(), static_cast<std::size_t>(output.size()));
        const std::size_t room = kMaxErrorBytes - std::min(kMaxErrorBytes, ended.errors.size());
        ended.errors.append(errors.data(), std::min(room, static_cast<std::size_t>(errors.size())));
        return ended.output.size() <= limits.maxBytes;
    };
    while (process.state() != QProcess::NotRunning) {
        process.waitForReadyRead(kPollMs);
        const bool isBounded = take();
        const auto now = std::chrono::steady_clock::now();
        if (limits.isPaused && limits.isPaused()) deadline += now - before;
        before = now;
        const bool isLate = now > deadline;
        const bool isUnwanted = cancelCheck && cancelCheck();
        if (isBounded && !isLate && !isUnwanted) continue;
        end(process, ties.ownGroup);
        if (isUnwanted) return Cancelled{};
        if (isLate) {
            return Error{"capture.remote.timeout",
                         {},
                         {},
                         {{"host", words[0]}, {"seconds", std::to_string(limits.timeout.count())}}};
        }
        return Error{
            "capture.remote.too_much", {}, {}, {{"host", words[0]}, {"limit", std::to_string(limits.maxBytes)}}};
    }
    if (!take())
        return Error{
            "capture.remote.too_much", {}, {}, {{"host", words[0]}, {"limit", std::to_string(limits.maxBytes)}}};
    ended.status = process.exitStatus() == QProcess::NormalExit ? process.exitCode() : -1;
    return ended;
}

}  // namespace altiscope::capture
