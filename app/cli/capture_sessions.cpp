#include "app/cli/capture_sessions.h"

#include "app/cli/capture_arguments.h"
#include "app/cli/capture_driving.h"
#include "app/cli/capture_report.h"
#include "app/cli/output.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/base/values/clock_time.h"
#include "core/base/values/parse.h"
#include "core/capture/methods/presets.h"
#include "core/capture/session/repeats.h"

#include <nlohmann/json.hpp>

#include <algorithm>

namespace altiscope::cli {

namespace {

using capture::CaptureRecord;
using capture::CaptureRun;
using capture::Event;
using capture::State;

capture::RecordStore standardStore() { return capture::RecordStore(capture::RecordStore::standardFolder()); }

/// Prints each change at once: whoever reads a pipe waits for it.
EventPrinter printerTo(CommandContext& context) {
    return [&context](const Event& event) {
        context.out.write(context.options.json ? capture::eventJson(event) + "\n" : eventLine(event));
        context.out.flush();
    };
}

/// For commands whose result is something else: what went wrong, and unless --quiet what happens.
EventPrinter messagesOf(const CommandContext& context) {
    return [&context](const Event& event) {
        if (context.options.quiet && event.message.code.empty()) return;
        std::string line = eventLine(event);
        line.pop_back();
        printMessage(line);
    };
}

int wrongUsage(const std::string& sentence) { return reportWrongUsage("capture", sentence); }

struct StartOptions {
    capture::StartRequest request;
    bool wait = false, open = false;
    std::optional<std::string> fetch;
    capture::FetchLimits limits;
    AnalysisChoice analysis;
    capture::RepeatPlan repeat;
    std::optional<Error> error;  ///< Why the file of hosts cannot be used; then nothing else counts.
};

/// @return What is wrong; empty if nothing is.
std::string readAnalysis(const CommandArguments& words, AnalysisChoice& analysis) {
    const auto where = words.value("--analyse");
    if (where && *where != "here" && *where != "there") return "--analyse takes here or there, not \"" + *where + "\".";
    analysis.where = where.value_or(std::string());
    analysis.options.python = words.value("--python").value_or(analysis.options.python);
    if (words.has("--python") && (analysis.where != "there" || analysis.options.python.empty()))
        return "--python is the interpreter of --analyse there.";
    return {};
}

/// @return What is wrong; empty if nothing is.
std::string readLimit(const CommandArguments& words, capture::FetchLimits& limits) {
    const auto text = words.value("--limit");
    if (!text) return {};
    static constexpr std::uint64_t kMaxMegabytes = 1'000'000;
    const auto number = wholeNumber<std::uint64_t>(*text);
    if (!number || *number == 0 || *number > kMaxMegabytes)
        return "--limit takes MB per second, from 1 to 1000000, not \"" + *text + "\".";
    limits.bytesPerSecond = *number * 1'000'000;
    return {};
}

/// @return What is wrong; empty if nothing is.
std::string readTimeout(const CommandArguments& words, std::int64_t& timeout) {
    static constexpr std::int64_t kMaxTimeout = 7 * 24 * 3600;
    const auto text = words.value("--timeout");
    if (!text) return {};
    const auto seconds = wholeNumber(*text);
    if (!seconds || *seconds < 1 || *seconds > kMaxTimeout)
        return "--timeout takes seconds, from 1 to " + std::to_string(kMaxTimeout) + ", not \"" + *text + "\".";
    timeout = *seconds;
    return {};
}

/// @return What is wrong; empty if nothing is.
std::string readRepeat(const CommandArguments& words, capture::StartRequest& request, StartOptions& options) {
    capture::RepeatPlan& plan = options.repeat;
    const auto number = [&words](std::string_view option, std::int64_t min, std::int64_t max, std::int64_t& value) {
        const auto text = words.value(option);
        if (!text) return std::string();
        const auto read = wholeNumber(*text);
        if (!read || *read < min || *read > max) {
            return std::string(option) + " takes a number from " + std::to_string(min) + " to " + std::to_string(max) +
                   ", not \"" + *text + "\".";
        }
        value = *read;
        return std::string();
    };
    std::int64_t pause = plan.pause.count(), slower = 0;
    for (const std::string& problem : {number("--repeat", 1, capture::kMaxRepeats, plan.times),
                                       number("--pause", capture::kMinPause.count(), capture::kMaxPause.count(), pause),
                                       number("--slower-than", 1, capture::kMaxSlowerMs, slower)}) {
        if (!problem.empty()) return problem;
    }
    plan.pause = std::chrono::seconds(pause);
    plan.slowerThan = slower * 1000;
    plan.stepLog = words.value("--step-log").value_or(std::string());
    plan.workdir = request.workdir;
    if (words.has("--pause") && plan.times == 1) return "--pause is between the captures of --repeat.";
    if (words.has("--slower-than") == plan.stepLog.empty())
        return "--slower-than and --step-log, the job's output with the times of its steps, go together.";
    if (plan.isOne()) return {};
    if (const auto problem = capture::repeatProblem(*request.method, request.preset, request.assignments))
        return errorText(*problem, "en");
    if (!request.launch.empty()) return "--repeat and --slower-than are for a job that runs already, without --launch.";
    if (options.open && plan.times > 1) return "--open opens one capture; of --repeat there are several.";
    request.assignments = capture::repeatedAssignments(*request.method, request.preset, request.assignments);
    options.wait = true;
    return {};
}

/// Words of start, or those of validate, which takes fewer.
CaptureArguments readStartWords(const std::string& word, std::span<const std::string> arguments) {
    if (word != "start")
        return readCaptureArguments(arguments, {"--file", "--preset", "--workdir", "--launch", "--results"});
    return readCaptureArguments(arguments,
                                {"--file", "--preset", "--workdir", "--launch", "--results", "--fetch", "--limit",
                                 "--analyse", "--python", "--repeat", "--pause", "--slower-than", "--step-log",
                                 "--timeout"},
                                {"--wait", "--open"});
}

/// @return What is wrong; empty if nothing is.
std::string presetProblem(const std::string& preset) {
    const auto presets = capture::presetNames();
    if (std::find(presets.begin(), presets.end(), preset) != presets.end()) return {};
    std::string names;
    for (const std::string_view name : presets) names += " " + std::string(name);
    return "There is no preset \"" + preset + "\"; there are:" + names + ".";
}

/// Whether --file is there exactly if the method takes one. @return What is wrong; empty if nothing is.
std::string fileProblem(const CommandArguments& words, const capture::Method& method) {
    const std::string name = "The method " + words.words[0];
    if (method.takesFile() && words.value("--file").value_or("").empty())
        return name + " needs --file, the configuration on the target.";
    if (!method.takesFile() && words.has("--file")) return name + " has no file.";
    return {};
}

/// Whether --launch is there exactly if the method starts a job. @return What is wrong; empty if nothing is.
std::string launchProblem(const CommandArguments& words, const capture::StartRequest& request,
                          const capture::Method& method) {
    const std::string name = "The method " + words.words[0];
    const bool needsLaunch = method.medium == capture::Medium::Options || method.medium == capture::Medium::Environment;
    if (request.launch.empty()) return needsLaunch ? name + " needs --launch, the command of the job." : std::string();
    if (method.trigger == capture::Trigger::Attach && method.medium != capture::Medium::Service)
        return name + " launches nothing; it takes the job's process as --set pid=N.";
    if (method.trigger == capture::Trigger::Attach) {
        const bool canLaunch = !method.launchVariant.empty();
        return name + " launches nothing; the service runs, and listens at --set port=N" +
               (canLaunch ? "; --set service=start launches one." : ".");
    }
    if (request.method->medium == capture::Medium::Request)
        return name + " launches nothing; the job runs, and has registered with the daemon.";
    return {};
}

/// How long the command waits, and where results go. @return What is wrong; empty if nothing is.
std::string readEnd(const CommandArguments& words, StartOptions& options) {
    if (const std::string problem = readLimit(words, options.limits); !problem.empty()) return problem;
    if (const std::string problem = readAnalysis(words, options.analysis); !problem.empty()) return problem;
    if (const std::string problem = readTimeout(words, options.request.timeout); !problem.empty()) return problem;
    options.fetch = words.value("--fetch");
    options.open = words.has("--open");
    if (options.analysis.where == "here" && !options.fetch && !options.open)
        return "--analyse here needs --fetch, the folder for what is analysed.";
    options.wait = words.has("--wait") || options.fetch || options.open || !options.analysis.where.empty();
    return readRepeat(words, options.request, options);
}

/// @param word  After "capture".
/// @return What is wrong; empty if nothing is.
std::string readStart(const std::string& word, std::span<const std::string> arguments, StartOptions& options) {
    const CaptureArguments read = readStartWords(word, arguments);
    const CommandArguments& words = read.words;
    if (!words.problem.empty()) return words.problem;
    if (words.words.size() != 1) return "capture " + word + " takes one method.";
    capture::StartRequest& request = options.request;
    request.method = capture::findMethod(words.words[0]);
    if (request.method == nullptr)
        return "There is no method \"" + words.words[0] + "\"; \"altiscope-cli capture methods\" lists them.";
    options.error = read.error;
    if (read.error) return {};
    if (read.targets.empty()) return "capture start needs a --target: local, or a host of your ssh configuration.";
    if (const std::string problem = readTargets(read.targets, request.targets); !problem.empty()) return problem;
    const auto text = [&words](std::string_view option) { return words.value(option).value_or(std::string()); };
    request.assignments = read.assignments;
    request.preset = text("--preset");
    request.file = text("--file");
    request.workdir = text("--workdir");
    request.launch = text("--launch");
    request.results = text("--results");
    if (words.has("--preset"))
        if (const std::string problem = presetProblem(request.preset); !problem.empty()) return problem;
    const capture::Method& method = capture::flavourOf(*request.method, request.assignments);
    if (const std::string problem = fileProblem(words, method); !problem.empty()) return problem;
    if (const std::string problem = launchProblem(words, request, method); !problem.empty()) return problem;
    return readEnd(words, options);
}

}  // namespace

int runCaptureCheck(std::span<const std::string> arguments, CommandContext& context) {
    StartOptions options;
    if (const std::string problem = readStart("validate", arguments, options); !problem.empty())
        return wrongUsage(problem);
    if (options.error) return reportError(*options.error);
    const capture::RecordStore store = standardStore();
    CaptureRun run(store, {}, [&context] { return context.cancel.cancelled(); });
    capture::SettingProblems problems;
    const auto checked = run.check(options.request, problems);
    if (checked.cancelled()) return kCancelled;
    if (checked.failed()) return reportError(checked.error());
    if (context.options.json) {
        context.out.write(checksJson(*options.request.method, checked.value(), problems));
    } else {
        for (const capture::SettingProblem& problem : problems) printMessage(problemLine(problem));
        context.out.write(checksText(checked.value()));
    }
    return areGood(checked.value()) && !capture::hasErrors(problems) ? kOk : kFailed;
}

namespace {

/// Waits until all is recorded, then fetches, analyses and opens as requested. @return The status of the program.
int finishStarted(const StartOptions& options, const capture::RecordStore& store, CaptureRun& run,
                  const EventPrinter& print, CommandContext& context) {
    const auto driven = capture::driveCapture(store, run, context.cancel);
    if (driven.failed()) return reportError(driven.error());
    if (driven.cancelled()) {
        const auto done = run.cancel();
        return done.failed() ? reportError(done.error()) : static_cast<int>(kCancelled);
    }
    const bool isAll = !options.fetch && !options.open && options.analysis.where.empty();
    if (run.record().state == State::Cancelled || isAll) return statusOf(run.record());
    const FetchOptions fetching{context.cancel, print, options.limits, options.analysis};
    if (options.analysis.where == "there" && !options.fetch && !options.open) return analyseThere(store, run, fetching);
    std::filesystem::path folder =
        options.fetch ? std::filesystem::path(*options.fetch) : store.resultsOf(run.record());
    if (options.fetch && options.repeat.times > 1) folder /= run.record().id;
    const int status = fetchCapture(store, run, folder, fetching);
    if (status != kOk || !options.open || openInWindow(folder)) return status;
    return reportError(Error{"capture.open.missing", folder.string(), {}, {}});
}

/// One capture. @return The status of the program.
int startOne(const StartOptions& options, CommandContext& context) {
    const capture::RecordStore store = standardStore();
    const EventPrinter print = messagesOf(context);
    CaptureRun run(store, {}, [&context] { return context.cancel.cancelled(); });
    std::optional<capture::CaptureLock> lock;
    bool isStarting = true;
    run.setListener([&](const Event& event) {
        // From the first moment that others can see it.
        if (auto taken = capture::CaptureLock::take(store, run.record().id); taken && !lock)
            lock.emplace(std::move(*taken));
        // Why the start failed is said once, at its end.
        if (isStarting && isOver(event.state)) return;
        print(event);
    });
    capture::SettingProblems problems;
    const auto started = run.start(options.request, problems);
    for (const capture::SettingProblem& problem : problems) printMessage(problemLine(problem));
    if (started.cancelled()) return kCancelled;
    if (started.failed()) return reportError(started.error());
    isStarting = false;
    context.out.write(run.record().id + "\n");
    if (!context.out.flush() || !options.wait) return kOk;
    return finishStarted(options, store, run, print, context);
}

}  // namespace

int runCaptureStart(std::span<const std::string> arguments, CommandContext& context) {
    StartOptions options;
    if (const std::string problem = readStart("start", arguments, options); !problem.empty())
        return wrongUsage(problem);
    if (options.error) return reportError(*options.error);
    const capture::RepeatPlan& plan = options.repeat;
    const auto cancelCheck = [&context] { return context.cancel.cancelled(); };
    const auto say = [&context](const Error& sentence) {
        if (!context.options.quiet) printMessage(printableText(errorText(sentence, "en")));
    };
    for (std::int64_t i = 0; i < plan.times; ++i) {
        if (i > 0) {
            say({"capture.repeat.pauses", {}, {}, {{"seconds", std::to_string(plan.pause.count())}}});
            if (!capture::pauseFor(plan.pause, cancelCheck)) return kCancelled;
        }
        const auto slow = capture::waitForSlowStep(plan, options.request.targets, cancelCheck, {}, say);
        if (slow.cancelled()) return kCancelled;
        if (slow.failed()) return reportError(slow.error());
        if (const auto& step = slow.value()) {
            say({"capture.repeat.slow",
                 {},
                 {},
                 {{"host", step->target}, {"time", capture::millisecondsText(step->time)}}});
        }
        const int status = startOne(options, context);
        if (status == kOk) continue;
        if (status != kCancelled && i + 1 < plan.times)
            say({"capture.repeat.ends", {}, {}, {{"left", std::to_string(plan.times - i - 1)}}});
        return status;
    }
    return kOk;
}

namespace {

int statusOfFollowed(const Result<CaptureRecord>& record) {
    if (record.failed()) return reportError(record.error());
    return record.cancelled() ? static_cast<int>(kCancelled) : statusOf(record.value());
}

/// Says what a capture that is not over waits for.
void printWaits(const CaptureRecord& record) {
    if (isOver(record.state)) return;
    const auto say = [](const Error& sentence) { printMessage(printableText(errorText(sentence, "en"))); };
    say({"capture.fetch.waits", {}, {}, {{"state", std::string(stateText(record.state))}, {"id", record.id}}});
    for (const auto& target : record.targets) {
        std::string line = target.name + "  " + std::string(stateText(target.state));
        if (!target.steps.code.empty()) line += "  " + errorText(target.steps, "en");
        printMessage(printableText(line));
    }
}

}  // namespace

int runCaptureWatch(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments, {"--timeout"});
    if (!words.problem.empty()) return wrongUsage(words.problem);
    if (words.words.size() != 1) return wrongUsage("capture watch takes the id of one capture.");
    capture::Driver driver{context.cancel, printerTo(context), {}};
    if (const std::string problem = readTimeout(words, driver.timeout); !problem.empty()) return wrongUsage(problem);
    return statusOfFollowed(capture::followCapture(standardStore(), words.words[0], driver));
}

int runCaptureFetch(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments, {"--out", "--limit", "--analyse", "--python", "--timeout"});
    if (!words.problem.empty()) return wrongUsage(words.problem);
    if (words.words.size() != 1) return wrongUsage("capture fetch takes the id of one capture.");
    const auto out = words.value("--out");
    if (!out || out->empty()) return wrongUsage("capture fetch needs --out, a folder.");
    capture::FetchLimits limits;
    if (const std::string problem = readLimit(words, limits); !problem.empty()) return wrongUsage(problem);
    AnalysisChoice analysis;
    if (const std::string problem = readAnalysis(words, analysis); !problem.empty()) return wrongUsage(problem);
    const capture::RecordStore store = standardStore();
    capture::Driver driver{context.cancel, {}, {}};
    if (const std::string problem = readTimeout(words, driver.timeout); !problem.empty()) return wrongUsage(problem);
    if (const auto known = store.load(words.words[0]); known.ok()) printWaits(known.value());
    // Earlier messages are no news.
    driver.listener = [print = messagesOf(context), begin = capture::nowNs()](const Event& event) {
        if (event.time >= begin) print(event);
    };
    // A capture that has not ended is followed to its end first.
    const auto record = capture::followCapture(store, words.words[0], driver);
    if (record.failed()) return reportError(record.error());
    if (record.cancelled()) return kCancelled;
    return fetchCapture(store, words.words[0], *out, {context.cancel, messagesOf(context), limits, analysis});
}

int runCaptureList(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return wrongUsage(words.problem);
    if (!words.words.empty()) return wrongUsage("capture list takes no further words.");
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const CaptureRecord& record : standardStore().list()) {
        std::vector<std::string> targets;
        for (const auto& target : record.targets) targets.push_back(target.name);
        if (!context.options.json) {
            std::string line = record.id + "  " + std::string(stateText(record.state)) + "  " + record.method;
            for (const std::string& target : targets) line += "  " + target;
            context.out.write(printableText(line) + "\n");
            continue;
        }
        list.push_back({{"id", record.id},
                        {"method", record.method},
                        {"targets", targets},
                        {"state", stateText(record.state)},
                        {"started", utcText(record.started)}});
    }
    if (context.options.json) context.out.write(dumpJson(list) + "\n");
    return kOk;
}

int runCaptureFinish(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return wrongUsage(words.problem);
    if (words.words.size() != 1) return wrongUsage("capture finish takes the id of one capture.");
    capture::Driver driver{context.cancel, {}, {}};
    driver.listener = [print = messagesOf(context), begin = capture::nowNs()](const Event& event) {
        if (event.time >= begin) print(event);
    };
    return statusOfFollowed(capture::finishCapture(standardStore(), words.words[0], driver));
}

int runCaptureCancel(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments);
    if (!words.problem.empty()) return wrongUsage(words.problem);
    if (words.words.size() != 1) return wrongUsage("capture cancel takes the id of one capture.");
    const auto done =
        capture::cancelCapture(standardStore(), words.words[0], {context.cancel, messagesOf(context), {}});
    if (done.cancelled()) return kCancelled;
    return done.failed() ? reportError(done.error()) : static_cast<int>(kOk);
}

}  // namespace altiscope::cli
