#pragma once

#include "app/cli/command_context.h"
#include "app/cli/command_line.h"
#include "core/base/values/result.h"
#include "core/report/gates/gate_check.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::cli {

/// Values of --gate and --junit of a command.
struct GateOptions {
    std::optional<std::string> file, junit;
    std::vector<GateRule> rules;
};

/// Reads the gate file before anything takes long, and refuses files that are named twice, with `out`.
/// @return kOk, or the status to end with, which is reported then.
int readGate(const CommandArguments& words, std::string_view command, bool withBase,
             const std::optional<std::string>& out, GateOptions& gate);

/// Reports why the rules could not be held against a capture. @return The exit status: a statement that is no query for
/// one number is wrong usage.
int reportGateError(const Error& error);

/// Whether a name can be that of --out: it ends with .html, .md or .json, or is a pipe, a device or standard output.
bool isOutName(const std::string& file);

/// Writes --out. What goes to standard output goes there with everything else.
int writeOut(const std::string& file, std::string_view text, CommandContext& context);

/// Prints how the rules came out, in a line for programs under --json: to stderr where --out has taken standard output.
void printGateBesideOut(const std::vector<GateOutcome>& outcomes, const CommandContext& context);

/// Writes a text as a file that appears when it is complete. @return kOk, or the status to end with, which is reported.
int writeTextFile(const std::string& file, std::string_view text, const CommandContext& context);

}  // namespace altiscope::cli
