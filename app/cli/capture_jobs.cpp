#include "app/cli/capture_jobs.h"

#include "app/cli/capture_arguments.h"
#include "app/cli/output.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/json_text.h"
#include "core/base/text/printable_text.h"
#include "core/capture/files/shell_words.h"
#include "core/capture/session/job_methods.h"

#include <nlohmann/json.hpp>

namespace altiscope::cli {

namespace {

using Object = nlohmann::ordered_json;
using capture::JobMethod;
using capture::RunningJob;

Object textOrNull(const std::string& text) { return text.empty() ? Object() : Object(text); }
Object numberOrNull(const std::optional<std::int64_t>& number) { return number ? Object(*number) : Object(); }

Object methodJson(const JobMethod& one) {
    Object set = Object::object();
    for (const auto& [name, value] : one.assignments) set[name] = value;
    return {{"method", one.method->name},
            {"possible", one.isPossible()},
            {"reason", one.isPossible() ? Object() : Object(errorText(one.reason, "en"))},
            {"file", textOrNull(one.file)},
            {"set", std::move(set)}};
}

Object jobJson(const std::string& target, const RunningJob& job) {
    Object variables = Object::object(), methods = Object::array();
    for (const auto& [name, value] : job.variables) variables[name] = value;
    for (const JobMethod& one : capture::methodsFor(target, job)) methods.push_back(methodJson(one));
    const std::string container =
        job.container.runtime.empty() ? std::string() : job.container.runtime + ":" + job.container.name;
    return {{"target", target},
            {"container", textOrNull(container)},
            {"start_target", capture::startTarget(target, job)},
            {"pid", job.process},
            {"rank", numberOrNull(job.rank)},
            {"ranks", numberOrNull(job.ranks)},
            {"user", job.user},
            {"framework", textOrNull(job.framework)},
            {"workdir", textOrNull(job.workdir)},
            {"command", capture::commandText(job)},
            {"variables", std::move(variables)},
            {"methods", std::move(methods)}};
}

/// Words of `capture start`, or why not.
std::string methodLine(const std::string& target, const JobMethod& one, const RunningJob& job) {
    std::string line = "  " + std::string(one.method->name) + "  ";
    if (!one.isPossible()) return line + "no: " + errorText(one.reason, "en");
    std::vector<std::string> words{"--target", capture::startTarget(target, job)};
    if (!one.file.empty()) words.insert(words.end(), {"--file", one.file});
    for (const auto& [name, value] : one.assignments) words.insert(words.end(), {"--set", name + "=" + value});
    if (!job.workdir.empty()) words.insert(words.end(), {"--workdir", job.workdir});
    return line + capture::shellCommand(words);
}

std::string jobText(const std::string& target, const RunningJob& job) {
    std::string line = target;
    if (!job.container.runtime.empty()) line += "/" + job.container.runtime + ":" + job.container.name;
    line += "  pid " + std::to_string(job.process);
    if (job.rank) line += "  rank " + std::to_string(*job.rank);
    if (job.rank && job.ranks) line += " of " + std::to_string(*job.ranks);
    line += "  " + job.user + "  " + (job.workdir.empty() ? "?" : job.workdir) + "  " + capture::shortCommandText(job);
    std::string text = printableText(line) + "\n";
    for (const JobMethod& one : capture::methodsFor(target, job)) {
        if (one.method->trigger != capture::Trigger::Launch) text += printableText(methodLine(target, one, job)) + "\n";
    }
    return text;
}

Object hostJson(const std::string& name, const std::string& error, const capture::RunningJobs& host) {
    return {{"target", name}, {"error", textOrNull(error)}, {"unseen", host.unseen}, {"closed", host.closed}};
}

/// Says what could not be looked at, and where there are no jobs.
void printCounts(const std::string& name, const capture::RunningJobs& host, const CommandContext& context) {
    const auto print = [](std::string_view code, MessageParameters parameters) {
        printMessage(printableText(errorText({std::string(code), {}, {}, std::move(parameters)}, "en")));
    };
    const std::pair<std::string_view, std::size_t> counts[] = {{"capture.job.unseen", host.unseen},
                                                               {"capture.job.closed", host.closed}};
    for (const auto& [code, count] : counts)
        if (count > 0) print(code, {{"host", name}, {"count", std::to_string(count)}});
    if (host.jobs.empty() && !context.options.quiet) print("capture.job.none", {{"host", name}});
}

}  // namespace

int runCaptureJobs(std::span<const std::string> arguments, CommandContext& context) {
    const CaptureArguments read = readCaptureArguments(arguments);
    if (!read.words.problem.empty()) return reportWrongUsage("capture", read.words.problem);
    if (!read.words.words.empty() || !read.assignments.empty())
        return reportWrongUsage("capture", "capture jobs takes only --target and --hosts-file.");
    if (read.error) return reportError(*read.error);
    std::vector<capture::Target> targets;
    const std::vector<std::string> names = read.targets.empty() ? std::vector<std::string>{"local"} : read.targets;
    if (const std::string problem = readTargets(names, targets); !problem.empty())
        return reportWrongUsage("capture", problem);
    const auto found = capture::jobsOn(targets, [&context] { return context.cancel.cancelled(); });
    Object hosts = Object::array(), jobs = Object::array();
    int status = kOk;
    for (std::size_t i = 0; i < targets.size(); ++i) {
        const std::string& name = targets[i].name;
        if (found[i].cancelled()) return kCancelled;
        if (found[i].failed()) {
            status = reportError(found[i].error());
            hosts.push_back(hostJson(name, errorText(found[i].error(), "en"), {}));
            continue;
        }
        const capture::RunningJobs& host = found[i].value();
        hosts.push_back(hostJson(name, {}, host));
        printCounts(name, host, context);
        for (const RunningJob& job : host.jobs) {
            if (context.options.json) jobs.push_back(jobJson(name, job));
            else context.out.write(jobText(name, job));
        }
    }
    if (context.options.json) {
        const Object json{{"targets", std::move(hosts)}, {"jobs", std::move(jobs)}};
        context.out.write(dumpJson(json) + "\n");
    }
    return status;
}

}  // namespace altiscope::cli
