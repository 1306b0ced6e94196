#include "app/cli/commands.h"

#include <algorithm>
#include <iterator>

namespace altiscope::cli {

namespace {

constexpr Subcommand kCommands[] = {
    {"info", "CAPTURE", "what a capture holds: ranks, steps, rows per table, problems", runInfo, infoHelp,
     RemoteUse::ByRank},
    {"query", "CAPTURE", "one read-only SQL statement over the capture", runQuery, queryHelp, RemoteUse::ByRank},
    {"export", "CAPTURE", "a table, or the tracks for other viewers, as a file", runExport, exportHelp,
     RemoteUse::OwnRanks},
    {"report", "CAPTURE", "a report as HTML or JSON, and gates for scripts", runReport, reportHelp, RemoteUse::ByRank},
    {"compare", "BASE CURRENT", "what changed between two runs, ranks or steps", runCompare, compareHelp,
     RemoteUse::Captures},
    {"generate", "OUT", "a synthetic capture with a known truth", runGenerate, generateHelp},
    {"analyse", "RAW", "raw data to what the profiler's own analysis writes", runAnalyse, analyseHelp,
     RemoteUse::RawFiles},
    {"pack", "CAPTURE", "all of a capture as one small file that opens anywhere", runPack, packHelp,
     RemoteUse::OwnRanks},
    {"whatif", "CAPTURE|TABLE.csv", "what each cause of slowness costs the steps of a job", runWhatif, whatifHelp,
     RemoteUse::ByRank},
    {"mcp", "CAPTURE...", "the Model Context Protocol, for assistants; read-only", runMcp, mcpHelp, RemoteUse::ByRank},
    {"cache", "list|clear", "the import cache", runCache, cacheHelp},
    {"remote", "list|remove HOST", "what was put on a host for captures that lie there", runRemote, remoteHelp},
    {"capture", "methods|validate|jobs|start|watch|fetch|list|cancel",
     "make a job record, here or on other hosts, and get the results", runCapture, captureHelp},
};

constexpr std::string_view kOptionsHelp = R"(
Options of all commands:
  --json             results as JSON
  --jobs N           worker threads; one per core by default
  --cache-dir DIR    folder of the import cache
  --no-cache         neither read nor write the import cache
  --diagnostics      print what was repaired or left out
  --strict           exit with 3 if data was lost
  --quiet            no progress
  --prefer text|db   which source of a rank to use where it has both
  --yes              agrees to what is put and run on a host, for captures there
  --remote-files     fetches the files of a capture on a host; nothing is put or
                     run there

A capture on another machine is HOST:PATH or ssh://[user@]host[:port]/PATH, see
altiscope-cli remote --help.
  --version, --help

Exit status: 0 ok, 1 failed, 2 wrong usage, 3 partial data under --strict,
4 a gate was not met, 130 cancelled.
)";

}  // namespace

const Subcommand* findCommand(std::string_view name) {
    const auto* found = std::find_if(std::begin(kCommands), std::end(kCommands),
                                     [name](const Subcommand& command) { return command.name == name; });
    return found == std::end(kCommands) ? nullptr : found;
}

std::string programHelp() {
    constexpr std::size_t kSummaryColumn = 21;
    std::string text = "usage: altiscope-cli [OPTIONS] COMMAND ...\n"
                       "\n"
                       "Commands (altiscope-cli COMMAND --help shows more):\n";
    for (const Subcommand& command : kCommands) {
        std::string line = "  " + std::string(command.name) + " " + std::string(command.words);
        if (line.size() >= kSummaryColumn) line += "\n" + std::string(kSummaryColumn, ' ');
        else line.append(kSummaryColumn - line.size(), ' ');
        text += line + std::string(command.summary) + "\n";
    }
    return text + std::string(kOptionsHelp);
}

}  // namespace altiscope::cli
