#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/query/capture_summary.h"
#include "core/report/export/table_export.h"
#include "core/report/export/trace_export.h"
#include "core/session/files/write_guard.h"

#include <optional>

namespace altiscope::cli {

namespace {

struct ExportArguments {
    std::string capture, what, out;
    ResultFormat format = ResultFormat::Csv;
    TraceExportOptions trace;
    std::string problem;
};

/// Fault of the options; empty if nothing is.
std::string readTraceOptions(const CommandArguments& read, TraceExportOptions& options) {
    for (const std::string_view option : {"--range", "--ranks", "--tracks", "--computed"}) {
        if (read.has(option) && read.value("--what") != "trace")
            return std::string(option) + " goes with --what trace only.";
    }
    if (std::string problem = readRange(read, options.range); !problem.empty()) return problem;
    if (const auto ranks = read.value("--ranks")) {
        options.ranks = numbersOf(*ranks);
        if (!options.ranks || options.ranks->empty())
            return "--ranks takes numbers as in 0,2,4-7, not \"" + *ranks + "\".";
    }
    if (const auto tracks = read.value("--tracks")) {
        const auto words = commaWords(*tracks);
        options.tracks.assign(words.begin(), words.end());
    }
    options.computed = read.has("--computed");
    return {};
}

/// Whether the words go together. @return What is wrong; empty if nothing is.
std::string exportProblem(const CommandArguments& read, const ExportArguments& words) {
    if (words.capture.empty()) return "A capture is missing.";
    if (read.words.size() > 1) return "export takes one capture, not \"" + read.words[1] + "\" too.";
    if (words.what.empty()) return "export needs --what.";
    if (words.out.empty()) return "export needs --out.";
    const bool isTrace = words.what == "trace";
    const auto format = read.value("--format");
    if (format && isTrace) return "--format goes with tables only.";
    const std::optional<ResultFormat> chosen = format ? resultFormat(*format) : std::nullopt;
    if (format && chosen.value_or(ResultFormat::Table) == ResultFormat::Table)
        return "--format takes csv, json or arrow, not \"" + *format + "\".";
    if (words.out.starts_with("/dev/")) return {};
    if (isTrace) return words.out.ends_with(".json") ? "" : "--out takes a name that ends with .json.";
    return chosen || resultFormatOfFile(words.out) ? "" : "--out takes a name that ends with .csv, .json or .arrows.";
}

ExportArguments parseExport(std::span<const std::string> arguments) {
    const CommandArguments read =
        readArguments(arguments, {"--what", "--out", "--format", "--range", "--ranks", "--tracks"},
                      {"--computed", "--spreadsheet-safe"});
    ExportArguments words{.capture = read.words.empty() ? std::string() : read.words.front(),
                          .what = read.value("--what").value_or(""),
                          .out = read.value("--out").value_or(""),
                          .trace = {},
                          .problem = read.problem};
    if (!words.problem.empty()) return words;
    const auto format = read.value("--format");
    const std::optional<ResultFormat> chosen = format ? resultFormat(*format) : std::nullopt;
    words.format = chosen ? *chosen : resultFormatOfFile(words.out).value_or(ResultFormat::Csv);
    words.problem = exportProblem(read, words);
    if (words.problem.empty()) words.problem = readTraceOptions(read, words.trace);
    if (words.problem.empty() && read.has("--spreadsheet-safe")) {
        if (words.what == "trace" || words.format != ResultFormat::Csv)
            words.problem = "--spreadsheet-safe goes with CSV only.";
        words.format = ResultFormat::SpreadsheetCsv;
    }
    return words;
}

std::string member(std::string_view name, std::uint64_t value) {
    return ",\"" + std::string(name) + "\":" + std::to_string(value);
}

std::string summaryOf(const ExportArguments& words, const TraceExportSummary& done, bool json) {
    if (json) {
        return "{\"path\":" + jsonQuoted(words.out) + member("slices", done.slices) + member("samples", done.samples) +
               member("instants", done.instants) + member("flows", done.flows) + member("bytes", done.bytes) + "}\n";
    }
    return printableText(words.out) + ": slices " + std::to_string(done.slices) + ", samples " +
           std::to_string(done.samples) + ", instants " + std::to_string(done.instants) + ", flows " +
           std::to_string(done.flows) + ", " + megabytesText(done.bytes) + "\n";
}

std::string summaryOf(const ExportArguments& words, const TableExportSummary& done, bool json) {
    if (json)
        return "{\"path\":" + jsonQuoted(words.out) + member("rows", done.rows) + member("bytes", done.bytes) + "}\n";
    return printableText(words.out) + ": rows " + std::to_string(done.rows) + ", " + megabytesText(done.bytes) + "\n";
}

/// Finishes both kinds of export.
template <class Summary>
int endExport(const Result<Summary>& done, const ExportArguments& words, const CaptureStore& capture,
              CommandContext& context) {
    if (done.cancelled()) return kCancelled;
    if (done.failed()) return reportError(done.error());
    for (const Diagnostic& entry : done.value().diagnostics.entries()) printMessage(diagnosticText(entry));
    if (!words.out.starts_with("/dev/")) context.out.write(summaryOf(words, done.value(), context.options.json));
    if (context.options.strict && done.value().diagnostics.anyLost()) return kPartialData;
    return statusOf(capture, context);
}

}  // namespace

std::string_view exportHelp() {
    return "usage: altiscope-cli export CAPTURE --what TABLE|trace --out FILE [--format csv|json|arrow]\n"
           "                            [--spreadsheet-safe] [--range A..B] [--ranks LIST] [--tracks LIST] "
           "[--computed]\n"
           "\n"
           "Writes a table as CSV, JSON or an Arrow IPC stream, by the ending of FILE (.csv, .json, .arrows) or by "
           "--format, or the\n"
           "tracks as clean Chrome JSON that other viewers load.\n"
           "Of a stream integers have 64 bits, texts a dictionary, units stand in the columns' metadata.\n"
           "query --schema lists the tables. An existing FILE is replaced once the new one is complete. As with query, "
           "a table\n"
           "that has files of its own is read without timelines.\n"
           "CSV has texts as they are; with --spreadsheet-safe one that a spreadsheet may run as a formula (it begins "
           "with = + - @,\n"
           "a tab or the end of a line) has a ' in front. The window does so always.\n"
           "For --what trace:\n"
           "  --range A..B    slices that touch this time, other events within it; ns of the trace's clock. Only they "
           "are read\n"
           "  --ranks LIST    ranks, as in 0,2,4-7\n"
           "  --tracks LIST   tracks by track_id, name or process/name, with * and ? as wildcards\n"
           "  --computed      also tracks that were computed from recorded ones\n";
}

int runExport(std::span<const std::string> arguments, CommandContext& context) {
    const ExportArguments words = parseExport(arguments);
    if (!words.problem.empty()) return reportWrongUsage("export", words.problem);
    if (liesInCapture(words.capture, words.out)) return reportError({"export.inside_capture", words.out, {}, {}});
    WorkerArena arena(context.options.jobs);
    CapturePart part{.range = words.trace.range, .acceptsWhole = true};
    if (words.what != "trace") part.onlyTables = summaryKindsRead("SELECT * FROM \"" + words.what + '"');
    const auto capture = openCapture(words.capture, context, arena, part);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    printDiagnostics(*capture.value(), context);
    if (words.what == "trace") {
        ProgressSlot progress;
        std::optional<Result<TraceExportSummary>> done;
        {
            const ProgressLine line(progress, context, percentText);
            arena.run([&] { done = exportTrace(*capture.value(), words.trace, words.out, progress, context.cancel); });
        }
        return endExport(*done, words, *capture.value(), context);
    }
    // An empty table in place of an older file would pass for what the capture holds.
    if (isUnreadable(*capture.value())) {
        for (const Diagnostic& entry : diagnosticsOf(*capture.value())) printMessage(diagnosticText(entry));
        return kFailed;
    }
    std::optional<Result<TableExportSummary>> done;
    arena.run([&] { done = exportTable(capture.value(), words.what, words.format, words.out, context.cancel); });
    return endExport(*done, words, *capture.value(), context);
}

}  // namespace altiscope::cli
