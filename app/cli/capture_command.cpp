#include "app/cli/capture_arguments.h"
#include "app/cli/capture_jobs.h"
#include "app/cli/capture_report.h"
#include "app/cli/capture_sessions.h"
#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/files/file.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/validation.h"

#include <QCoreApplication>

#include <algorithm>
#include <optional>

namespace altiscope::cli {

namespace {

/// Limit of what a job's tool reads.
constexpr std::uint64_t kMaxConfigBytes = 1 << 20;

int runMethods(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return reportWrongUsage("capture", words.problem);
    if (!words.words.empty()) return reportWrongUsage("capture", "capture methods takes no further words.");
    context.out.write(context.options.json ? methodsJson(capture::methods()) : methodsText(capture::methods()));
    return kOk;
}

int runValidate(std::span<const std::string> arguments, CommandContext& context) {
    // With targets it looks there, too.
    const auto isTarget = [](const std::string& word) {
        const std::string_view name = std::string_view(word).substr(0, word.find('='));
        return name == "--target" || name == "--hosts-file";
    };
    if (std::any_of(arguments.begin(), arguments.end(), isTarget)) return runCaptureCheck(arguments, context);
    const CaptureArguments read = readCaptureArguments(arguments, {"--file"});
    if (!read.words.problem.empty()) return reportWrongUsage("capture", read.words.problem);
    if (read.words.words.size() != 1) return reportWrongUsage("capture", "capture validate takes one method.");
    const capture::Method* method = capture::findMethod(read.words.words[0]);
    if (method == nullptr) {
        return reportWrongUsage("capture", "There is no method \"" + read.words.words[0] +
                                               "\"; \"altiscope-cli capture methods\" lists them.");
    }
    const auto path = read.words.value("--file");
    if (path && !capture::flavourOf(*method, read.assignments).takesFile())
        return reportWrongUsage("capture", "The method " + read.words.words[0] + " has no file.");
    std::optional<std::string> file;
    if (path) {
        auto text = readSmallFile(*path, kMaxConfigBytes);
        if (!text.ok()) return reportError(text.error());
        file = std::move(text).value();
    }
    const std::string* fileText = file ? &*file : nullptr;

    capture::SettingProblems problems;
    const auto settings = capture::makeSettings(*method, read.assignments, fileText, problems);
    capture::validate(settings, problems);
    capture::Plan plan;
    if (!capture::hasErrors(problems)) {
        auto made = capture::makePlan(settings, fileText, path.value_or(std::string()));
        if (!made.ok()) return reportError(made.error());
        plan = std::move(made).value();
    }
    if (context.options.json) {
        context.out.write(validationJson(*method, plan, problems));
    } else {
        for (const capture::SettingProblem& problem : problems) printMessage(problemLine(problem));
        if (!capture::hasErrors(problems)) context.out.write(fileText != nullptr ? plan.diff : plan.text());
    }
    return capture::hasErrors(problems) ? kFailed : kOk;
}

}  // namespace

std::string_view captureHelp() {
    return R"(usage: altiscope-cli capture methods [--json]
       altiscope-cli capture validate METHOD [--set FIELD=VALUE]... [--file CONFIG] [--json]
       altiscope-cli capture validate METHOD --target TARGET... [--hosts-file FILE]
                     [the options of start that say what and where]
       altiscope-cli capture jobs [--target TARGET]... [--hosts-file FILE] [--json]
       altiscope-cli capture start METHOD --target TARGET... [--hosts-file FILE] [--set FIELD=VALUE]... [--file CONFIG]
                     [--preset NAME] [--workdir DIR] [--launch COMMAND] [--results DIR] [--wait]
                     [--fetch DIR] [--limit MB] [--analyse there|here] [--open]
                     [--repeat N] [--pause SECONDS] [--slower-than MS --step-log FILE] [--timeout SECONDS]
       altiscope-cli capture watch ID [--json] [--timeout SECONDS]
       altiscope-cli capture fetch ID --out DIR [--limit MB] [--analyse there|here] [--timeout SECONDS]
       altiscope-cli capture finish ID
       altiscope-cli capture list [--json]
       altiscope-cli capture cancel ID

methods lists the ways in which a job is made to record, with their fields. validate checks the settings as the
job's own tools do and prints what they come to: the configuration, its change as a diff, a command, a variable or
lines of Python. Nothing is written. Wrong fields are named, then the status is 1; that includes values for which
the tool would silently take others. With targets it also looks at each of them, in one round trip, and prints a line
per check with what was found or what to do: TARGET  NAME  good|warning|failed  TEXT.

jobs lists what looks like a rank of a training or inference job on this machine, or on each target, in one round
trip: its process, rank, user, folder and command, then a line for each method that acts on running jobs, with the
options that start needs for it, or with why it cannot record this one. Only your own processes let their
environment be read; of those of other users that may be jobs, the number is reported.

start checks whether each target has what is needed, puts the configuration in place on all of them, starts the job
if a command is given, and prints the id of the capture. watch prints a line per change until the capture is over,
fetch copies its results to DIR/TARGET/..., resumes what was broken off and compares sizes; cancel ends jobs that
were started and puts every changed file back; finish waits for nothing more, puts the files back, lets jobs run, and
keeps what is recorded. Each may run in a process of its own, also after another was killed.
The configuration is put back by itself when all is recorded, by whoever watches. A file that somebody else has
changed meanwhile is left alone, and this is reported.

Where several hosts are to record from the next step on (start_step -1), start looks at the jobs for some seconds: at
the steps that their output shows, or the daemon of msMonitor, and at how often the tool looks for a configuration. It
then sets one step for all hosts, that none of them can reach before. Where no output says a step (it goes to a
terminal, say), each host begins at its own. At the end the steps that each rank recorded are compared: where they
differ this is reported, and the status is 1. A host whose job ends before it records fails by itself; the others go on.

The command of --launch is run by sh in the working directory; options of llm-flags stand where it has "$@", else
at its end. $ALTISCOPE_TARGET_INDEX counts the targets. Its output is kept on the target in
~/.local/state/altiscope/captures. Hosts are reached by your own ssh with its configuration, agent and known hosts;
ALTISCOPE_SSH_CONFIG names another configuration. Without a terminal ssh asks for nothing.
  --set F=V       a field's value: true, 5, Level1, a list as 0,8 or [0, 8], null. Can be given several times
  --file CONFIG   the configuration; what is not set stays as it is there. For start: on the target
  --target T      local, an alias of your ssh configuration, or [user@]host[:port]; a container there as
                  T/docker:NAME (also podman, nerdctl, ctr, kubectl). Can be given several times
  --hosts-file F  more targets, one per line, as DeepSpeed and Open MPI read them: "HOST slots=8"; # begins a comment,
                  and the number in HOST:2222 is a port. Instead of --target or beside it
  --preset NAME   first-look, communication, memory, operator-metrics or light-marks; --set wins
  --workdir DIR   where the job runs; relative paths count from there
  --launch CMD    the job's command. Without it the job runs already, or you start it
  --results DIR   where results appear, if the settings do not say it
  --wait          until all is recorded; status 0 only if it is. Ctrl+C puts everything back
  --fetch DIR     then copy the results to DIR (waits)
  --analyse W     what is raw: there, by the tools of the target before it is copied (--python PROGRAM is the
                  interpreter that has them; python3), or here by this program in the copies. What came out counts,
                  not the status that the tools end with. Without it raw data is copied as it is
  --limit MB      at most this many megabytes per second, of all hosts together; three are copied from at a time
  --timeout S     no phase (prepare, armed, record, analyse, fetch) may last longer than so many seconds; then what is
                  there counts, as with finish. Also for who watches or fetches
  --open          then open them in the window (waits)
  --repeat N      this many captures of the running job, one after the other, each with its own id; --fetch copies them
                  to DIR/ID. Of methods that record from the next step on: start_step is -1, whatever CONFIG says.
                  The first that fails ends it (waits)
  --pause S       seconds after each of them before the next may start; 60
  --slower-than M each starts once a step takes longer than M milliseconds; needs --step-log FILE, the job's output on
                  the target with the times that Megatron, MindSpore and MindFormers print. Between captures only this
                  command waits: when it ends, no more are started (waits)
)";
}

int runCapture(std::span<const std::string> arguments, CommandContext& context) {
    static constexpr struct {
        std::string_view word;
        int (*run)(std::span<const std::string>, CommandContext&);
    } kWords[] = {{"methods", runMethods},      {"validate", runValidate},  {"jobs", runCaptureJobs},
                  {"start", runCaptureStart},   {"watch", runCaptureWatch}, {"fetch", runCaptureFetch},
                  {"finish", runCaptureFinish}, {"list", runCaptureList},   {"cancel", runCaptureCancel}};
    if (arguments.empty()) return reportWrongUsage("capture", "capture needs a subcommand, such as methods or start.");
    // Programs of others are started through Qt, which wants to be there. What it says is for its developers.
    qInstallMessageHandler([](QtMsgType, const QMessageLogContext&, const QString&) {});
    char name[] = "altiscope-cli";
    char* words[] = {name, nullptr};
    int count = 1;
    const QCoreApplication application(count, words);
    for (const auto& known : kWords) {
        if (arguments[0] == known.word) return known.run(arguments.subspan(1), context);
    }
    return reportWrongUsage(
        "capture", "capture takes methods, validate, jobs, start, watch, fetch, finish, list or cancel, not \"" +
                       arguments[0] + "\".");
}

}  // namespace altiscope::cli
