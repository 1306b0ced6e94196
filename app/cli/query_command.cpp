#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/base/catalogue.h"
#include "core/base/file.h"
#include "core/query/capture_summary.h"
#include "core/query/database.h"
#include "core/query/result_writer.h"
#include "core/query/schema_text.h"

#include <optional>

namespace altiscope::cli {

namespace {

struct QueryWords {
    std::optional<std::string> capture, sql, file;
    std::optional<ResultFormat> format;
    bool schema = false;
    std::string problem;
};

QueryWords parse(std::span<const std::string> arguments) {
    QueryWords words;
    bool optionsOver = false;
    for (std::size_t i = 0; i < arguments.size() && words.problem.empty(); ++i) {
        const std::string& word = arguments[i];
        if (!optionsOver && word == "--") {
            optionsOver = true;
            continue;
        }
        if (optionsOver || !word.starts_with('-')) {
            if (words.capture) words.problem = "query takes one capture, not \"" + word + "\" too.";
            words.capture = word;
            continue;
        }
        const std::size_t equals = word.find('=');
        const std::string option = word.substr(0, equals);
        if (option == "--schema") {
            words.schema = true;
            continue;
        }
        if (option != "--sql" && option != "--file" && option != "--format") {
            words.problem = "Unknown option " + word + ".";
        } else if (equals == std::string::npos && i + 1 == arguments.size()) {
            words.problem = option + " needs a value.";
        } else {
            const std::string value = equals == std::string::npos ? arguments[++i] : word.substr(equals + 1);
            if (option == "--sql") words.sql = value;
            if (option == "--file") words.file = value;
            if (option == "--format") {
                words.format = resultFormat(value);
                if (!words.format) words.problem = "--format takes table, csv or json, not \"" + value + "\".";
            }
        }
    }
    if (!words.problem.empty() || words.schema) return words;
    if (!words.capture) words.problem = "A capture is missing.";
    else if (words.sql.has_value() == words.file.has_value()) words.problem = "query needs either --sql or --file.";
    return words;
}

}  // namespace

std::string_view queryHelp() {
    return "usage: altiscope-cli query CAPTURE (--sql TEXT | --file FILE) [--format table|csv|json]\n"
           "       altiscope-cli query --schema [--json]\n"
           "\n"
           "Runs one read-only SQL statement (SQLite's dialect) over a capture and prints its rows. --schema prints "
           "all tables\n"
           "with the unit and meaning of each column. Times are in ns, sizes in bytes, absent values NULL.\n";
}

int runQuery(std::span<const std::string> arguments, CommandContext& context) {
    QueryWords words = parse(arguments);
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
    WorkerArena arena(context.options.jobs);
    const auto capture = openCapture(*words.capture, context, arena);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    printDiagnostics(*capture.value(), context);
    if (isUnreadable(*capture.value())) {
        for (const Diagnostic& entry : diagnosticsOf(*capture.value())) printMessage(diagnosticText(entry));
        return kFailed;
    }

    const QueryDatabase database(capture.value());
    const auto writer = makeResultWriter(format, [&context](std::string_view text) { return context.out.write(text); });
    std::optional<Result<QuerySummary>> done;
    arena.run([&] { done = database.run(*words.sql, *writer, context.cancel); });
    if (done->cancelled()) return kCancelled;
    if (done->failed()) return reportError(done->error());
    writer->finish();
    for (const Diagnostic& entry : done->value().diagnostics.entries()) printMessage(diagnosticText(entry));
    if (context.options.strict && done->value().diagnostics.anyLost()) return kPartialData;
    return statusOf(*capture.value(), context);
}

}  // namespace altiscope::cli
