#pragma once

#include "app/cli/command_context.h"

#include <span>
#include <string>

namespace altiscope::cli {

/// `capture jobs`: the words after the second one. Exit status as runCapture().
int runCaptureJobs(std::span<const std::string> arguments, CommandContext& context);

}  // namespace altiscope::cli
