#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/base/files/file.h"
#include "core/query/capture_summary.h"
#include "core/query/database.h"
#include "core/query/results/row_part.h"
#include "core/query/schema/schema_text.h"
#include "core/query/statement_kinds.h"
#include "core/report/export/result_writer.h"

#include <optional>

#include <unistd.h>

namespace altiscope::cli {

namespace {

struct QueryArguments {
    std::optional<std::string> capture{}, sql{}, file{};
    std::optional<ResultFormat> format{};
    std::optional<TimeRange> range{};
    ListPart part{};
    bool schema = false;
    std::string problem;
};

QueryArguments parse(std::span<const std::string> arguments) {
    const CommandArguments read =
        readArguments(arguments, {"--sql", "--file", "--format", "--range", "--limit", "--offset"},
                      {"--schema", "--spreadsheet-safe"});
    QueryArguments words{.sql = read.value("--sql"),
                         .file = read.value("--file"),
                         .schema = read.has("--schema"),
                         .problem = read.problem};
    if (!read.words.empty()) words.capture = read.words.front();
    if (const auto format = read.value("--format")) words.format = resultFormat(*format);
    if (words.problem.empty()) words.problem = readRange(read, words.range);
    if (words.problem.empty()) words.problem = readListPart(read, words.part);
    if (!words.problem.empty()) return words;
    if (read.has("--format") && !words.format)
        words.problem = "--format takes table, csv, json or arrow, not \"" + *read.value("--format") + "\".";
    else if (read.words.size() > 1) words.problem = "query takes one capture, not \"" + read.words[1] + "\" too.";
    else if (words.schema && words.format == ResultFormat::Arrow)
        words.problem = "--schema goes with text and JSON only.";
    else if (words.schema) return words;
    else if (words.format == ResultFormat::Arrow && ::isatty(STDOUT_FILENO) == 1)
        words.problem = "--format arrow writes bytes for programs: lead them into a file or a pipe.";
    else if (!words.capture) words.problem = "A capture is missing.";
    else if (read.has("--spreadsheet-safe") && words.format != ResultFormat::Csv)
        words.problem = "--spreadsheet-safe goes with --format csv only.";
    else if (words.sql.has_value() == words.file.has_value()) words.problem = "query needs either --sql or --file.";
    if (read.has("--spreadsheet-safe")) words.format = ResultFormat::SpreadsheetCsv;
    return words;
}

}  // namespace

std::string_view queryHelp() {
    return "usage: altiscope-cli query CAPTURE (--sql TEXT | --file FILE) [--format table|csv|json|arrow]\n"
           "                           [--spreadsheet-safe] [--range START_NS..END_NS] [--limit N] [--offset N]\n"
           "       altiscope-cli query --schema [--json]\n"
           "\n"
           "Runs one read-only SQL statement (SQLite's dialect) over a capture and prints its rows. --schema prints "
           "all tables\n"
           "with the unit and meaning of each column. Times are in ns, sizes in bytes, absent values NULL.\n"
           "Besides SQLite's functions there are median, percentile, stddev, variance and the operator REGEXP.\n"
           "A statement on recorded summary tables alone reads their files and no timeline. What --strict and "
           "--diagnostics then\n"
           "report was lost in the files that were read; info reads and reports all of a capture.\n"
           "CSV has texts as they are; with --spreadsheet-safe one that a spreadsheet may run as a formula (it begins "
           "with = + - @,\n"
           "a tab or the end of a line) has a ' in front.\n"
           "--format arrow writes an Arrow IPC stream, which is no text: integers have 64 bits, texts a dictionary. A "
           "column that is\n"
           "computed has the type of the values in its first batch (65536 rows or 8 MB), text if all are NULL; CAST "
           "gives it one where\n"
           "later values differ.\n"
           "With --range only this time (ns of the trace's clock) is read, which takes less memory: slices that touch "
           "it, other\n"
           "events within it, and of each counter the sample before it. Their rows are the same as without --range.\n"
           "--limit writes at most N rows, from row --offset (0) on; if more follow, a message on standard error says "
           "which offset\n"
           "to go on with. Pages of one statement are those of one result if its rows have an order.\n";
}

namespace {

/// Runs the statement and writes its rows. @return The exit status.
int writeRows(const QueryArguments& words, ResultFormat format, const std::shared_ptr<const CaptureStore>& capture,
              WorkerArena& arena, CommandContext& context) {
    const QueryDatabase database(capture);
    const auto writer = makeResultWriter(format, [&context](std::string_view text) {
        // A row of long values takes some time to write.
        return !context.cancel.cancelled() && context.out.write(text);
    });
    std::optional<Result<QuerySummary>> done;
    RowPart part(*writer, words.part);
    arena.run([&] { done = database.run(*words.sql, part, context.cancel); });
    if (done->cancelled()) return kCancelled;
    if (done->failed()) return reportError(done->error());
    if (writer->problem()) return reportError(*writer->problem());
    writer->finish();
    if (part.next() && !context.options.quiet)
        printMessage("More rows follow: --offset " + std::to_string(*part.next()));
    for (const Diagnostic& entry : done->value().diagnostics.entries()) printMessage(diagnosticText(entry));
    if (context.options.strict && done->value().diagnostics.anyLost()) return kPartialData;
    return statusOf(*capture, context);
}

}  // namespace

int runQuery(std::span<const std::string> arguments, CommandContext& context) {
    QueryArguments words = parse(arguments);
    if (!words.problem.empty()) return reportWrongUsage("query", words.problem);
    const ResultFormat format = words.format.value_or(context.options.json ? ResultFormat::Json : ResultFormat::Table);
    if (words.schema) {
        context.out.write(format == ResultFormat::Json ? schemaJson() : schemaText());
        return kOk;
    }
    if (words.file) {
        auto text = readSmallFile(*words.file, QueryDatabase::kMaxSqlBytes);
        if (!text.ok()) return reportError(text.error());
        words.sql = std::move(text).value();
    }
    const auto kinds = summaryKindsRead(*words.sql);
    // Reading all of a capture may take minutes.
    if (!kinds) {
        if (const auto problem = QueryDatabase::problemOf(*words.sql)) return reportError(*problem);
    }
    WorkerArena arena(context.options.jobs);
    const auto capture = openCapture(*words.capture, context, arena, {.range = words.range, .onlyTables = kinds});
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    printDiagnostics(*capture.value(), context);
    if (isUnreadable(*capture.value())) {
        for (const Diagnostic& entry : diagnosticsOf(*capture.value())) printMessage(diagnosticText(entry));
        return kFailed;
    }

    return writeRows(words, format, capture.value(), arena, context);
}

}  // namespace altiscope::cli
