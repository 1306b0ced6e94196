#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/session/reading/load_estimate.h"

#include <atomic>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include <fcntl.h>
#include <unistd.h>

namespace {

using namespace altiscope;
using namespace altiscope::cli;

const CancelToken& interruption() {
    // Never destroyed: a signal may still come while the program ends.
    static const CancelToken* const token = new CancelToken;
    return *token;
}

/// Signals that ask a program to end.
constexpr int kInterrupts[] = {SIGINT, SIGTERM, SIGHUP, SIGXCPU};

/// Says what stopped the program, with nothing that needs memory.
int writeFatalError(std::string_view sentence) {
    // Where even this cannot be written there is only the status.
    [[maybe_unused]] const ssize_t written = ::write(STDERR_FILENO, sentence.data(), sentence.size());
    return kFailed;
}

/// Pages of the cache that are not there any more, because another program has cut the file, or the disk is broken.
extern "C" void onLostPages(int) {
    ::_exit(writeFatalError(
        "altiscope-cli: A file of the import cache became shorter, or cannot be read, while it was in use. "
        "Try again, or without the cache (--no-cache).\n"));
}

extern "C" void onInterrupt(int) {
    // The second time the program dies as if nobody had listened.
    for (const int signal : kInterrupts) std::signal(signal, SIG_DFL);
    interruption().requestCancel();
}

void listenToSignals() {
    // Both are reported by the call that fails: the reader is gone, or the file is larger than the shell allows.
    std::signal(SIGPIPE, SIG_IGN);
    std::signal(SIGXFSZ, SIG_IGN);
    std::signal(SIGBUS, onLostPages);
    interruption();  // exists before a signal can request it
    for (const int signal : kInterrupts) {
        // nohup wants the program to outlive its terminal.
        if (std::signal(signal, onInterrupt) == SIG_IGN && signal == SIGHUP) std::signal(signal, SIG_IGN);
    }
}

/// Standard input, output and errors that were closed by whoever started the program are opened, so that no file gets
/// their numbers and then what is meant for them. What is written there fails as it would have.
void reserveStandardFiles() {
    for (const int number : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO}) {
        if (::fcntl(number, F_GETFD) >= 0) continue;
        // The lowest free number is this one.
        if (::open("/dev/null", number == STDIN_FILENO ? O_WRONLY : O_RDONLY) != number) return;
    }
}

int finish(Output& out, int status) {
    out.flush();
    if (out.state() == Output::State::Cancelled) return kCancelled;
    if (out.state() != Output::State::Failed) return status;
    printMessage("The result could not be written: " + out.reason());
    return kFailed;
}

int run(const CommandLine& line, Output& out) {
    if (line.version) {
        out.write("altiscope-cli " ALTI_VERSION "\n");
        return kOk;
    }
    const Subcommand* command = findCommand(line.command);
    if (!line.problem.empty()) return reportWrongUsage(line.command, line.problem);
    if (command == nullptr && line.help) {
        out.write(programHelp());
        return kOk;
    }
    if (line.command.empty()) return reportWrongUsage({}, "A command is missing.");
    if (command == nullptr) return reportWrongUsage({}, "Unknown command \"" + line.command + "\".");
    if (line.help) {
        out.write(command->help());
        return kOk;
    }
    CommandContext context{line.options, interruption(), out};
    std::vector<std::string> words = line.arguments;
    if (const int status = fetchRemoteWords(command->name, command->remote, words, context); status != kOk)
        return status;
    return command->run(words, context);
}

constexpr std::string_view kNoMemory =
    "altiscope-cli: There is not enough memory for this. Open a single rank, or a part of the time with --range.\n";

std::atomic<bool> memoryRanOut{false};

/// Libraries end the program where no memory is left in a function that promises not to throw: with a sentence then,
/// and a status.
void reportFatalErrors() {
    std::set_new_handler([] {
        memoryRanOut = true;
        throw std::bad_alloc();
    });
    std::set_terminate([] {
        if (!memoryRanOut) std::abort();
        ::_exit(writeFatalError(kNoMemory));
    });
}

int start(int argc, char** argv) {
    listenToSignals();
    Output out(STDOUT_FILENO, interruption());
    return finish(out, run(parseCommandLine({argv + 1, argv + argc}), out));
}

}  // namespace

int main(int argc, char** argv) {
    reserveStandardFiles();
    reportFatalErrors();
    limitMemory(0);
    try {
        return start(argc, argv);
    } catch (const std::bad_alloc&) { return writeFatalError(kNoMemory); } catch (const std::system_error&) {
        return writeFatalError(
            "altiscope-cli: The system gives the program no thread. Look at the limits on processes, or end others.\n");
    }
}
