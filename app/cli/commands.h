#pragma once

#include "app/cli/command_context.h"
#include "app/cli/remote_words.h"

#include <span>
#include <string>
#include <string_view>

namespace altiscope::cli {

/// One function per subcommand, each in a file of its own. `arguments` are the words after the subcommand; options
/// that all commands share were taken out before, see command_context.h. A command writes its result to context.out and
/// leaves flushing, and the report of a failed write, to main().
/// @return The exit status of resources/help/reference/command-line.md.
int runInfo(std::span<const std::string> arguments, CommandContext& context);
int runQuery(std::span<const std::string> arguments, CommandContext& context);
int runExport(std::span<const std::string> arguments, CommandContext& context);
int runCache(std::span<const std::string> arguments, CommandContext& context);
int runCapture(std::span<const std::string> arguments, CommandContext& context);
int runReport(std::span<const std::string> arguments, CommandContext& context);
int runCompare(std::span<const std::string> arguments, CommandContext& context);
int runMcp(std::span<const std::string> arguments, CommandContext& context);
int runGenerate(std::span<const std::string> arguments, CommandContext& context);
int runAnalyse(std::span<const std::string> arguments, CommandContext& context);
int runWhatif(std::span<const std::string> arguments, CommandContext& context);
int runPack(std::span<const std::string> arguments, CommandContext& context);
int runRemote(std::span<const std::string> arguments, CommandContext& context);

/// Texts for `COMMAND --help`: the first line is the usage line.
std::string_view infoHelp();
std::string_view queryHelp();
std::string_view exportHelp();
std::string_view cacheHelp();
std::string_view captureHelp();
std::string_view reportHelp();
std::string_view compareHelp();
std::string_view mcpHelp();
std::string_view generateHelp();
std::string_view analyseHelp();
std::string_view whatifHelp();
std::string_view packHelp();
std::string_view remoteHelp();

/// A subcommand, as main() starts it and --help lists it.
struct Subcommand {
    std::string_view name;
    std::string_view words;    ///< After the name in the list of --help.
    std::string_view summary;  ///< There; one line.
    int (*run)(std::span<const std::string>, CommandContext&);
    std::string_view (*help)();
    RemoteUse remote = RemoteUse::None;  ///< Captures on hosts among its words.
};

/// Null if there is none of this name.
const Subcommand* findCommand(std::string_view name);

/// Text that --help without a command prints.
std::string programHelp();

}  // namespace altiscope::cli
