#pragma once

#include "app/cli/command_context.h"

#include <span>
#include <string>

namespace altiscope::cli {

// `capture validate --target|start|watch|fetch|finish|list|cancel`: the words after the second one. Exit status as
// runCapture().

/// Runs `capture validate` where it has targets.
int runCaptureCheck(std::span<const std::string> arguments, CommandContext& context);
int runCaptureStart(std::span<const std::string> arguments, CommandContext& context);
int runCaptureWatch(std::span<const std::string> arguments, CommandContext& context);
int runCaptureFetch(std::span<const std::string> arguments, CommandContext& context);
int runCaptureFinish(std::span<const std::string> arguments, CommandContext& context);
int runCaptureList(std::span<const std::string> arguments, CommandContext& context);
int runCaptureCancel(std::span<const std::string> arguments, CommandContext& context);

}  // namespace altiscope::cli
