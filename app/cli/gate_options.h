#pragma once

#include "app/cli/command_context.h"
#include "app/cli/command_line.h"
#include "core/base/result.h"
#include "core/report/gates/gate_check.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::cli {

/// What --gate and --junit of a command say.
struct GateOptions {
    std::optional<std::string> file, junit;
    std::vector<GateRule> rules;
};

/// Reads the gate file before anything takes long. @return kOk, or the status to end with, which is reported then.
int readGate(const CommandWords& words, std::string_view command, bool withBase, GateOptions& gate);

/// Reports why the rules could not be held against a capture. @return The exit status: a statement that is no query for
/// one number is wrong usage.
int reportGateError(const Error& error);

/// Writes a text as a file that appears when it is complete. @return kOk, or the status to end with, which is reported.
int writeTextFile(const std::string& file, std::string_view text, const CommandContext& context);

}  // namespace altiscope::cli
