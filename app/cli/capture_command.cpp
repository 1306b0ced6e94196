#include "app/cli/capture_report.h"
#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "core/base/catalogue.h"
#include "core/base/file.h"
#include "core/capture/methods/method.h"
#include "core/capture/methods/plan.h"
#include "core/capture/methods/validation.h"

#include <optional>

namespace altiscope::cli {

namespace {

/// What a job's tool reads at most.
constexpr std::uint64_t kMaxConfigBytes = 1 << 20;

/// The words of `capture validate`.
struct ValidateWords {
    CommandWords words;
    std::vector<capture::Assignment> assignments;
};

/// Takes each "--set FIELD=VALUE" out of the words, since it may be there several times.
ValidateWords readValidateWords(std::span<const std::string> arguments) {
    ValidateWords read;
    std::vector<std::string> others;
    std::string problem;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        const std::string& word = arguments[i];
        const bool joined = word.starts_with("--set=");
        if (word != "--set" && !joined) {
            others.push_back(word);
            continue;
        }
        if (!joined && i + 1 == arguments.size()) {
            problem = "--set needs a value.";
            break;
        }
        const std::string text = joined ? word.substr(6) : arguments[++i];
        const auto equals = text.find('=');
        if (equals == 0 || equals == std::string::npos) {
            problem = "--set takes FIELD=VALUE, not \"" + text + "\".";
            break;
        }
        read.assignments.emplace_back(text.substr(0, equals), text.substr(equals + 1));
    }
    read.words = readWords(others, {"--file"});
    if (!problem.empty()) read.words.problem = problem;
    return read;
}

int runMethods(std::span<const std::string> arguments, CommandContext& context) {
    const CommandWords words = readWords(arguments);
    if (!words.problem.empty()) return reportWrongUsage("capture", words.problem);
    if (!words.words.empty()) return reportWrongUsage("capture", "capture methods takes no further words.");
    context.out.write(context.options.json ? methodsJson(capture::methods()) : methodsText(capture::methods()));
    return kOk;
}

int runValidate(std::span<const std::string> arguments, CommandContext& context) {
    const ValidateWords read = readValidateWords(arguments);
    if (!read.words.problem.empty()) return reportWrongUsage("capture", read.words.problem);
    if (read.words.words.size() != 1) return reportWrongUsage("capture", "capture validate takes one method.");
    const capture::Method* method = capture::findMethod(read.words.words[0]);
    if (method == nullptr) {
        return reportWrongUsage("capture", "There is no method \"" + read.words.words[0] +
                                               "\"; \"altiscope-cli capture methods\" lists them.");
    }
    const auto path = read.words.value("--file");
    const bool takesFile = method->medium == capture::Medium::JsonFile || method->medium == capture::Medium::YamlFile;
    if (path && !takesFile) return reportWrongUsage("capture", "The method " + read.words.words[0] + " has no file.");
    std::optional<std::string> file;
    if (path) {
        auto text = readSmallFile(*path, kMaxConfigBytes);
        if (!text.ok()) return reportError(text.error());
        file = std::move(text).value();
    }
    const std::string* fileText = file ? &*file : nullptr;

    capture::Problems problems;
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
        for (const capture::Problem& problem : problems) printMessage(problemLine(problem));
        if (!capture::hasErrors(problems)) context.out.write(fileText != nullptr ? plan.diff : plan.text());
    }
    return capture::hasErrors(problems) ? kFailed : kOk;
}

}  // namespace

std::string_view captureHelp() {
    return "usage: altiscope-cli capture methods [--json]\n"
           "       altiscope-cli capture validate METHOD [--set FIELD=VALUE]... [--file CONFIG] [--json]\n"
           "\n"
           "methods lists the ways in which a job is made to record, with their fields. validate checks the settings "
           "as "
           "the\n"
           "job's own tools do and prints what they come to: the configuration, its change as a diff, a command, a "
           "variable or\n"
           "lines of Python. Nothing is written. Wrong fields are named, then the status is 1; that includes values "
           "for "
           "which\n"
           "the tool would silently take others.\n"
           "  --set F=V       a field's value: true, 5, Level1, a list as 0,8 or [0, 8], null. Can be given several "
           "times\n"
           "  --file CONFIG   the configuration as it is; what is not set stays as it stands there\n";
}

int runCapture(std::span<const std::string> arguments, CommandContext& context) {
    if (arguments.empty()) return reportWrongUsage("capture", "capture takes a word, methods or validate.");
    if (arguments[0] == "methods") return runMethods(arguments.subspan(1), context);
    if (arguments[0] == "validate") return runValidate(arguments.subspan(1), context);
    return reportWrongUsage("capture", "capture takes methods or validate, not \"" + arguments[0] + "\".");
}

}  // namespace altiscope::cli
