#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/gate_options.h"
#include "app/cli/open_capture.h"
#include "app/cli/out_place.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/query/capture_summary.h"
#include "core/report/document/make_report.h"
#include "core/session/files/write_guard.h"

#include <algorithm>
#include <optional>

namespace altiscope::cli {

namespace {

struct ReportArguments {
    std::string capture;
    std::optional<std::string> out{}, base{};
    std::vector<std::string> sections{};
    std::string problem;
};

ReportArguments parseReport(const CommandArguments& read) {
    ReportArguments words{.capture = read.words.empty() ? std::string() : read.words.front(),
                          .out = read.value("--out"),
                          .base = read.value("--base"),
                          .problem = read.problem};
    if (!words.problem.empty()) return words;
    if (const auto sections = read.value("--sections")) {
        const auto ids = commaWords(*sections);
        words.sections.assign(ids.begin(), ids.end());
    }
    const auto unknown = unknownSection(words.sections);
    const bool wantsCompare =
        std::find(words.sections.begin(), words.sections.end(), "compare") != words.sections.end();
    if (words.capture.empty()) words.problem = "A capture is missing.";
    else if (read.words.size() > 1) words.problem = "report takes one capture, not \"" + read.words[1] + "\" too.";
    else if (!words.out && !read.has("--gate")) words.problem = "report needs --out or --gate.";
    else if (words.out && !isOutName(*words.out))
        words.problem = "--out takes a name that ends with .html, .md or .json.";
    else if (unknown) words.problem = "There is no section \"" + *unknown + "\".";
    else if (wantsCompare && !words.base) words.problem = "The section compare needs --base.";
    return words;
}

/// Makes the report of the opened captures.
struct ReportOutcome {
    std::optional<Comparison> comparison;
    std::optional<Report> report;
    std::vector<GateOutcome> outcomes;
    int status = kOk;
};

/// @return Whether to go on.
template <class T>
bool take(Result<T>&& result, ReportOutcome& made, bool isOfGate, std::optional<T>& value) {
    if (result.ok()) value = std::move(result).value();
    else
        made.status = result.cancelled() ? int{kCancelled}
                      : isOfGate         ? reportGateError(result.error())
                                         : reportError(result.error());
    return value.has_value();
}

ReportOutcome make(const ReportArguments& words, const GateOptions& gate, const ComparisonSide& current,
                   const std::optional<ComparisonSide>& base, const CancelToken& cancel) {
    ReportOutcome made;
    if (base && !take(compareSides(*base, current, cancel), made, false, made.comparison)) return made;
    const GateSubject subject{current, base, made.comparison ? &*made.comparison : nullptr};
    std::optional<std::vector<GateOutcome>> outcomes;
    if (!take(checkGate(gate.rules, subject, cancel), made, true, outcomes)) return made;
    made.outcomes = std::move(*outcomes);
    if (!words.out) return made;
    const ReportRequest request{.capture = words.capture,
                                .language = "en",
                                .program = "Altiscope " ALTI_VERSION,
                                .generated = reportTime(),
                                .sections = words.sections,
                                .compare = subject.comparison};
    take(makeReport(*current.database, request, cancel), made, false, made.report);
    return made;
}

bool isJson(const ReportArguments& words, const CommandContext& context) {
    return words.out->ends_with(".json") || (outPlaceOf(*words.out).isStream && context.options.json);
}

void printReport(const ReportArguments& words, const GateOptions& gate, const ReportOutcome& made, std::size_t bytes,
                 CommandContext& context) {
    const OutPlace out = words.out ? outPlaceOf(*words.out) : OutPlace{};
    const bool namesFile = words.out && !out.isStream;
    if (!namesFile && !gate.file) return;
    if (out.isStdout) {
        printGateBesideOut(made.outcomes, context);
        return;
    }
    if (context.options.json) {
        std::string json = "{\"path\":" + (namesFile ? jsonQuoted(*words.out) : std::string("null")) +
                           ",\"bytes\":" + std::to_string(bytes);
        if (gate.file) json += ",\"gate\":" + gateJson(made.outcomes);
        context.out.write(json + "}\n");
        return;
    }
    if (namesFile) context.out.write(printableText(*words.out) + ": " + megabytesText(bytes) + "\n");
    if (gate.file) context.out.write(gateText(made.outcomes));
}

/// Writes what was made. @return The exit status.
int finishReport(const ReportArguments& words, const GateOptions& gate, const ReportOutcome& made,
                 CommandContext& context) {
    std::size_t bytes = 0;
    if (words.out) {
        const std::string text = isJson(words, context)        ? reportJson(*made.report)
                                 : words.out->ends_with(".md") ? reportMarkdown(*made.report)
                                                               : reportHtml(*made.report);
        bytes = text.size();
        if (const int status = writeOut(*words.out, text, context); status != kOk) return status;
    }
    if (gate.junit) {
        const int status = writeTextFile(*gate.junit, gateJunit(made.outcomes, words.capture), context);
        if (status != kOk) return status;
    }
    printReport(words, gate, made, bytes, context);
    return isGateMet(made.outcomes) ? kOk : kGateNotMet;
}

/// The file among those to be written that lies in a capture; nullopt if none does.
std::optional<std::string> fileInside(const ReportArguments& words, const GateOptions& gate) {
    for (const auto& file : {words.out, gate.junit})
        for (const auto& capture : {std::optional(words.capture), words.base})
            if (file && capture && liesInCapture(*capture, *file)) return file;
    return std::nullopt;
}

}  // namespace

std::string_view reportHelp() {
    return "usage: altiscope-cli report CAPTURE --out FILE [--sections LIST] [--base CAPTURE] [--gate FILE] [--junit "
           "FILE]\n"
           "\n"
           "Writes what a capture says: one page of HTML that opens anywhere, Markdown or JSON, by the ending of FILE "
           "(.html, .md,\n"
           ".json). Each table names the SQL statement that gives its rows.\n"
           "  --sections LIST  some of facts,steps,findings,operators,communication,memory,compare,diagnostics,method\n"
           "  --base CAPTURE   adds a comparison with another run\n"
           "  --gate FILE      rules that the capture must meet; --out may be left out then\n"
           "  --junit FILE     how the rules came out, as JUnit XML for continuous integration\n"
           "\n"
           "A gate file has one rule per line, # begins a comment:\n"
           "  METRIC OP NUMBER[UNIT]          OP is one of < <= > >= = !=\n"
           "  p95(step) < 30 ms               mean() (the default), p50(), p95() or max() over steps and ranks of\n"
           "                                  step, computing, communication, exposed_communication, free, bubble,\n"
           "                                  preparing, and of their shares of the step: free_ratio <= 10 %\n"
           "  peak_reserved < 60 GiB          peak_reserved, peak_allocated, fragmentation: of the rank with the "
           "highest\n"
           "  slow_link_min >= 15 GB/s        bandwidth of the slowest link between two ranks\n"
           "  slow_rank.count = 0             findings of a rule; RULE.recoverable is the sum of their times\n"
           "  lost = 0                        records that were lost while the capture was read\n"
           "  sql(SELECT count(*) FROM kernel WHERE dur > 1000000) < 10\n"
           "  change(step) < 3 %              with --base: current - base; % is a share of the base's value\n"
           "  significant.count = 0           with --base: differences that are more than noise\n"
           "Units, as in filters: ns us ms s min h B kB MB GB TB KiB MiB GiB TiB GB/s %. Without one: ns, bytes, "
           "GB/s,\n"
           "a share from 0 to 1.\n"
           "A metric without data fails. Exit status 4 if a rule is not met, 2 if a metric or unit is unknown.\n";
}

int runReport(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments read = readArguments(arguments, {"--out", "--sections", "--base", "--gate", "--junit"});
    const ReportArguments words = parseReport(read);
    if (!words.problem.empty()) return reportWrongUsage("report", words.problem);
    GateOptions gate;
    if (const int status = readGate(read, "report", words.base.has_value(), words.out, gate); status != kOk)
        return status;
    if (const auto file = fileInside(words, gate)) return reportError({"export.inside_capture", *file, {}, {}});
    WorkerArena arena(context.options.jobs);
    std::vector<std::shared_ptr<const CaptureStore>> captures;
    for (const auto& path : {std::optional(words.capture), words.base}) {
        if (!path) continue;
        const auto capture = openReadable(*path, context, arena);
        if (capture.cancelled()) return kCancelled;
        if (capture.failed()) return reportError(capture.error());
        if (capture.value() == nullptr) return kFailed;
        captures.push_back(capture.value());
    }
    const QueryDatabase database(captures.front());
    std::optional<QueryDatabase> baseDatabase;
    std::optional<ComparisonSide> base;
    if (words.base) base = ComparisonSide{captures.back(), &baseDatabase.emplace(captures.back())};
    std::optional<ReportOutcome> made;
    arena.run([&] { made = make(words, gate, {captures.front(), &database}, base, context.cancel); });
    if (made->status != kOk) return made->status;
    const int status = finishReport(words, gate, *made, context);
    return status == kOk ? worstStatusOf(captures, context) : status;
}

}  // namespace altiscope::cli
