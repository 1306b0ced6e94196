#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/gate_options.h"
#include "app/cli/open_capture.h"
#include "app/cli/out_place.h"
#include "app/cli/output.h"
#include "core/base/values/parse.h"
#include "core/compare/comparison.h"
#include "core/report/comparison_json.h"
#include "core/report/document/make_report.h"
#include "core/session/files/write_guard.h"

#include <optional>

namespace altiscope::cli {

namespace {

using Numbers = std::optional<std::vector<std::int64_t>>;

struct CompareArguments {
    std::string base, current;
    Numbers baseRanks{}, ranks{}, baseSteps{}, steps{};
    ListPart part{};
    std::optional<std::string> out{};
    std::string problem;
};

/// Fault of an option that takes numbers; empty if nothing is.
std::string readNumbers(const CommandArguments& read, std::string_view option, Numbers& numbers) {
    const auto text = read.value(option);
    if (!text) return {};
    numbers = numbersOf(*text);
    return numbers && !numbers->empty() ? std::string()
                                        : std::string(option) + " takes numbers as in 0,2,4-7, not \"" + *text + "\".";
}

CompareArguments parseCompare(const CommandArguments& read) {
    CompareArguments words{.base = {}, .current = {}, .out = read.value("--out"), .problem = read.problem};
    const std::pair<std::string_view, Numbers*> lists[] = {{"--base-ranks", &words.baseRanks},
                                                           {"--ranks", &words.ranks},
                                                           {"--base-steps", &words.baseSteps},
                                                           {"--steps", &words.steps}};
    for (const auto& [option, numbers] : lists)
        if (words.problem.empty()) words.problem = readNumbers(read, option, *numbers);
    if (words.problem.empty()) words.problem = readListPart(read, words.part);
    if (!words.problem.empty()) return words;
    if (read.words.size() < 2) words.problem = "compare needs two captures: BASE and CURRENT.";
    else if (read.words.size() > 2) words.problem = "compare takes two captures, not \"" + read.words[2] + "\" too.";
    else if (words.out && !isOutName(*words.out))
        words.problem = "--out takes a name that ends with .json, .html or .md.";
    if (!words.problem.empty()) return words;
    words.base = read.words[0];
    words.current = read.words[1];
    return words;
}

/// Document that is written for --out.
std::string fileText(const CompareArguments& words, const Comparison& comparison) {
    const bool isMarkdown = words.out->ends_with(".md");
    if (!isMarkdown && !words.out->ends_with(".html")) return comparisonJson(comparison, words.part);
    const Report report = makeComparisonReport(comparison, {.capture = words.current,
                                                            .language = "en",
                                                            .program = "Altiscope " ALTI_VERSION,
                                                            .generated = reportTime(),
                                                            .sections = {},
                                                            .compare = &comparison});
    return isMarkdown ? reportMarkdown(report) : reportHtml(report);
}

void printComparison(const CompareArguments& words, const GateOptions& gate, const Comparison& comparison,
                     const std::vector<GateOutcome>& outcomes, CommandContext& context) {
    static constexpr std::uint64_t kRows = 25;
    if (words.out && outPlaceOf(*words.out).isStdout) {
        if (gate.file) printGateBesideOut(outcomes, context);
        return;
    }
    if (!context.options.json) {
        context.out.write(comparisonText(comparison, {words.part.offset, words.part.limit.value_or(kRows)}));
        if (gate.file) context.out.write(gateText(outcomes));
        return;
    }
    std::string json = comparisonJson(comparison, words.part);
    if (gate.file) json = json.substr(0, json.rfind('}')) + ",\"gate\":" + gateJson(outcomes) + "}\n";
    context.out.write(json);
}

/// Opens both captures, or the one that is both. @return The exit status if that fails.
std::optional<int> openSides(const CompareArguments& words, CommandContext& context, WorkerArena& arena,
                             std::vector<std::shared_ptr<const CaptureStore>>& captures) {
    for (const std::string& path : {words.base, words.current}) {
        if (!captures.empty() && words.base == words.current) break;
        const auto capture = openReadable(path, context, arena);
        if (capture.cancelled()) return kCancelled;
        if (capture.failed()) return reportError(capture.error());
        if (capture.value() == nullptr) return kFailed;
        captures.push_back(capture.value());
    }
    return std::nullopt;
}

/// Writes what was found. @return The exit status.
int finishCompare(const CompareArguments& words, const GateOptions& gate, const Comparison& comparison,
                  const std::vector<GateOutcome>& outcomes, CommandContext& context) {
    if (words.out) {
        const int status = writeOut(*words.out, fileText(words, comparison), context);
        if (status != kOk) return status;
    }
    if (gate.junit) {
        const int status = writeTextFile(*gate.junit, gateJunit(outcomes, words.current), context);
        if (status != kOk) return status;
    }
    printComparison(words, gate, comparison, outcomes, context);
    return isGateMet(outcomes) ? kOk : kGateNotMet;
}

}  // namespace

std::string_view compareHelp() {
    return "usage: altiscope-cli compare BASE CURRENT [--base-ranks LIST] [--ranks LIST] [--base-steps LIST] [--steps "
           "LIST]\n"
           "                             [--limit N] [--offset N] [--out FILE] [--gate FILE] [--junit FILE]\n"
           "\n"
           "Says what changed between two runs, and what of it is more than noise: parts of a step, operators, "
           "kernels, calls\n"
           "on the host, collectives, links, memory and findings, per step, the largest change first. Intervals "
           "hold the change\n"
           "with 95 % by how the steps of each side vary; with a single step on a side there are none. For two ranks "
           "or steps of\n"
           "one run, name it twice.\n"
           "  --base-ranks, --ranks LIST   ranks of each side, as in 0,2,4-7\n"
           "  --base-steps, --steps LIST   steps of each side\n"
           "  --limit, --offset N          at most N differences, from number --offset (0) on; \"lists\" in --json "
           "then "
           "says how\n"
           "                               many there are\n"
           "  --out FILE                   JSON or a page of HTML, by the ending of FILE\n"
           "  --gate FILE, --junit FILE    rules that CURRENT must meet, see altiscope-cli report --help\n";
}

int runCompare(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments read = readArguments(arguments, {"--base-ranks", "--ranks", "--base-steps", "--steps",
                                                            "--limit", "--offset", "--out", "--gate", "--junit"});
    const CompareArguments words = parseCompare(read);
    if (!words.problem.empty()) return reportWrongUsage("compare", words.problem);
    GateOptions gate;
    if (const int status = readGate(read, "compare", true, words.out, gate); status != kOk) return status;
    for (const auto& file : {words.out, gate.junit})
        for (const std::string& capture : {words.base, words.current})
            if (file && liesInCapture(capture, *file)) return reportError({"export.inside_capture", *file, {}, {}});
    WorkerArena arena(context.options.jobs);
    std::vector<std::shared_ptr<const CaptureStore>> captures;
    if (const auto status = openSides(words, context, arena, captures)) return *status;
    const QueryDatabase first(captures.front());
    std::optional<QueryDatabase> second;
    if (captures.size() > 1) second.emplace(captures.back());
    const ComparisonSide base{captures.front(), &first, words.baseRanks, words.baseSteps};
    const ComparisonSide current{captures.back(), second ? &*second : &first, words.ranks, words.steps};
    std::optional<Result<Comparison>> compared;
    std::optional<Result<std::vector<GateOutcome>>> checked;
    arena.run([&] {
        compared = compareSides(base, current, context.cancel);
        if (compared->ok()) checked = checkGate(gate.rules, {current, base, &compared->value()}, context.cancel);
    });
    if (compared->cancelled() || (checked && checked->cancelled())) return kCancelled;
    if (compared->failed()) return reportError(compared->error());
    if (checked->failed()) return reportGateError(checked->error());
    const int status = finishCompare(words, gate, compared->value(), checked->value(), context);
    return status == kOk ? worstStatusOf(captures, context) : status;
}

}  // namespace altiscope::cli
