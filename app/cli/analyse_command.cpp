#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/base/text/catalogue.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/threads/parallel.h"
#include "core/base/values/parse.h"
#include "core/session/files/write_guard.h"
#include "core/session/reading/raw_analysis.h"

#include <algorithm>
#include <filesystem>
#include <optional>
#include <system_error>
#include <vector>

namespace altiscope::cli {

namespace {

struct AnalyseArguments {
    RawAnalysisOptions options;
    unsigned jobs = 0;
    std::string problem;
};

/// The values of an option that may be given several times, each also a list with commas.
std::vector<std::string> listedValues(std::span<const std::string> arguments, std::string_view option) {
    std::vector<std::string> values;
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        std::string_view rest;
        if (arguments[i] == option && i + 1 < arguments.size()) rest = arguments[++i];
        else if (arguments[i].starts_with(std::string(option) + '='))
            rest = std::string_view(arguments[i]).substr(option.size() + 1);
        else continue;
        for (std::size_t comma = 0; comma != std::string_view::npos; rest.remove_prefix(comma + 1)) {
            comma = rest.find(',');
            values.emplace_back(rest.substr(0, comma));
            if (comma == std::string_view::npos) break;
        }
    }
    return values;
}

/// The folder that is made where none is named.
std::filesystem::path defaultOut(const std::filesystem::path& raw) {
    std::error_code error;
    const std::filesystem::path named = std::filesystem::canonical(raw, error);
    const std::string name = (error ? raw : named).filename().string();
    const std::filesystem::path folder = name + "_analysed";
    // A name that begins as those of profilers do makes a folder of one, which is never written to.
    return liesInProfilerFolder(folder / "file") ? std::filesystem::path("analysed_" + name) : folder;
}

void readTypes(const std::vector<std::string>& types, AnalyseArguments& parsed) {
    if (types.empty()) return;
    parsed.options.writesText = parsed.options.writesDatabases = false;
    for (const std::string& type : types) {
        if (type == "text") parsed.options.writesText = true;
        else if (type == "db") parsed.options.writesDatabases = true;
        else parsed.problem = "--export-type takes text or db, not \"" + type + "\".";
    }
}

/// The number of processes counts where --jobs says none.
void readProcesses(const std::string& number, AnalyseArguments& parsed) {
    static constexpr unsigned kMaxProcesses = 1024;
    const auto count = wholeNumber<unsigned>(number);
    if (!count || *count == 0 || *count > kMaxProcesses)
        parsed.problem = "--max-process-number takes a number from 1 to 1024, not \"" + number + "\".";
    else if (parsed.jobs == 0) parsed.jobs = *count;
}

AnalyseArguments parseAnalyse(std::span<const std::string> arguments, unsigned jobs) {
    AnalyseArguments parsed;
    const CommandArguments words =
        readArguments(arguments, {"--export-type", "--out", "--profiler-path", "--max-process-number"}, {"--in-place"});
    parsed.problem = words.problem;
    parsed.jobs = jobs;
    if (!parsed.problem.empty()) return parsed;
    std::vector<std::string> raws = words.words;
    if (const auto path = words.value("--profiler-path")) raws.push_back(*path);
    if (raws.empty()) parsed.problem = "RAW is missing.";
    if (raws.size() > 1) parsed.problem = "analyse takes one RAW, not \"" + raws[1] + "\" too.";
    readTypes(listedValues(arguments, "--export-type"), parsed);
    if (const auto number = words.value("--max-process-number")) readProcesses(*number, parsed);
    const auto out = words.value("--out");
    if (out && words.has("--in-place")) parsed.problem = "--out and --in-place exclude each other.";
    if (out && out->empty()) parsed.problem = "--out takes a folder, not an empty text.";
    if (!parsed.problem.empty()) return parsed;
    parsed.options.raw = raws.front();
    if (!words.has("--in-place")) parsed.options.out = out ? std::filesystem::path(*out) : defaultOut(raws.front());
    return parsed;
}

/// Why a capture is not done; empty if it is.
std::string reasonOf(const AnalysedCapture& capture) {
    if (capture.error) return errorText(*capture.error, "en");
    std::string reason;
    for (const Diagnostic& one : capture.lost) {
        if (!reason.empty()) reason += "; ";
        reason += one.code + " (" + std::to_string(one.count) + ')';
        for (const auto& [name, value] : one.parameters) {
            if (name == "what") reason += ' ' + value;
        }
    }
    return reason;
}

std::string analysisText(const std::vector<AnalysedCapture>& captures) {
    std::size_t width = std::string_view("CAPTURE").size();
    for (const AnalysedCapture& one : captures) width = std::max(width, printableText(one.path).size());
    const auto padded = [](std::string text, std::size_t size) {
        text.resize(std::max(size, text.size()), ' ');
        return text + "  ";
    };
    static constexpr std::size_t kStateWidth = 9, kFilesWidth = 5;
    std::string text =
        padded("CAPTURE", width) + padded("STATE", kStateWidth) + padded("FILES", kFilesWidth) + "REASON\n";
    for (const AnalysedCapture& one : captures) {
        std::string line = padded(printableText(one.path), width) +
                           padded(std::string(analysisStateName(one.state)), kStateWidth) +
                           padded(std::to_string(one.files.size()), kFilesWidth) + printableText(reasonOf(one));
        line.erase(line.find_last_not_of(' ') + 1);
        text += line + '\n';
    }
    return text;
}

std::string analysisJson(const RawAnalysis& analysis) {
    std::string json = "{\"schema\":1,\"captures\":[";
    bool isFirst = true;
    for (const AnalysedCapture& one : analysis.captures) {
        if (!isFirst) json += ',';
        isFirst = false;
        const std::string reason = reasonOf(one);
        json += "\n{\"path\":" + jsonQuoted(one.path) + ",\"state\":" + jsonQuoted(analysisStateName(one.state)) +
                ",\"reason\":" + (reason.empty() ? "null" : jsonQuoted(reason)) +
                ",\"folder\":" + (one.folder.empty() ? "null" : jsonQuoted(one.folder.string())) + ",\"files\":[";
        bool isFirstFile = true;
        for (const std::string& file : one.files) {
            if (!isFirstFile) json += ',';
            isFirstFile = false;
            json += jsonQuoted(file);
        }
        json += "]}";
    }
    json += "\n],\"lost\":[";
    for (std::size_t i = 0; i < analysis.lost.size(); ++i)
        json += (i == 0 ? "" : ",") + jsonQuoted(analysis.lost[i].message("en"));
    return json + "]}\n";
}

}  // namespace

std::string_view analyseHelp() {
    return "usage: altiscope-cli analyse RAW [--export-type text] [--export-type db] [--out DIR | --in-place] [--jobs "
           "N]\n"
           "\n"
           "Makes from raw data what the profiler's own analysis makes, without CANN: timeline, kernels, "
           "operators, memory,\n"
           "statistics, steps and communication. RAW is a PROF folder, the folder of a rank (*_ascend_pt, "
           "*_ascend_ms), or a\n"
           "parent of many: those are analysed in parallel, and one that fails does not stop the others.\n"
           "Files of a rank of a framework go to DIR/FOLDER/ASCEND_PROFILER_OUTPUT, those of a PROF folder alone to\n"
           "DIR/FOLDER/mindstudio_profiler_output and analyze, its database to DIR/FOLDER.\n"
           "  --export-type text  text files (the default)\n"
           "  --export-type db    databases: ascend_pytorch_profiler_RANK.db and analysis.db, or msprof_TIME.db and\n"
           "                      communication_analyzer.db; both types may be given, also as text,db\n"
           "  --out DIR           a new or empty folder; by default RAW_analysed (of PROF_X: analysed_PROF_X) in the "
           "current\n"
           "                      folder\n"
           "  --in-place          into the captures, where there is no such folder yet\n"
           "  --profiler-path P, --max-process-number N\n"
           "                      the same as RAW and --jobs\n"
           "Prints a table of the captures: done; partial, where data was lost or is not read yet; failed; cancelled, "
           "where it\n"
           "was stopped before, while others were complete. The status is 1 if\n"
           "one failed, and 3 under --strict if one is partial or the search for them ended early. Checked with "
           "synthetic raw data of chips of "
           "generation 5\n"
           "(910B, 910_93) only.\n";
}

int runAnalyse(std::span<const std::string> arguments, CommandContext& context) {
    const AnalyseArguments words = parseAnalyse(arguments, context.options.jobs);
    if (!words.problem.empty()) return reportWrongUsage("analyse", words.problem);
    std::error_code error;
    const auto status = std::filesystem::status(words.options.raw, error);
    if (status.type() == std::filesystem::file_type::not_found)
        return reportError({"file.missing", words.options.raw.string(), {}, {}});
    if (status.type() == std::filesystem::file_type::regular)
        return reportWrongUsage("analyse", "RAW is a folder, not a file; an archive has to be unpacked first.");
    WorkerArena arena(words.jobs);
    ProgressSlot progress;
    std::optional<Result<RawAnalysis>> done;
    {
        const ProgressLine line(progress, context, percentText);
        arena.run([&] { done = analyseRaw(words.options, progress, context.cancel); });
    }
    if (done->cancelled()) return kCancelled;
    if (done->failed()) return reportError(done->error());
    const std::vector<AnalysedCapture>& captures = done->value().captures;
    const std::vector<Diagnostic>& lost = done->value().lost;
    context.out.write(context.options.json ? analysisJson(done->value()) : analysisText(captures));
    for (const Diagnostic& one : lost) printMessage(one.message("en"));
    for (const std::filesystem::path& folder : done->value().swept)
        printMessage(Diagnostic{"raw_analysis.swept", Severity::Info, folder.string(), 1, {}, {}}.message("en"));
    if (context.options.diagnostics) {
        for (const AnalysedCapture& one : captures) {
            for (const Diagnostic& lost : one.lost) printMessage(one.path + ": " + lost.message("en"));
        }
    }
    const auto isAny = [&captures](AnalysedCapture::State state) {
        return std::any_of(captures.begin(), captures.end(),
                           [state](const AnalysedCapture& one) { return one.state == state; });
    };
    if (done->value().isCancelled()) return kCancelled;
    if (isAny(AnalysedCapture::State::Failed)) return kFailed;
    const bool isPartial = isAny(AnalysedCapture::State::Partial) || !lost.empty();
    return context.options.strict && isPartial ? kPartialData : kOk;
}

}  // namespace altiscope::cli
