#pragma once

#include "app/cli/command_context.h"
#include "core/base/parallel.h"
#include "core/base/result.h"

#include <memory>
#include <string>

namespace altiscope {
struct CaptureStore;
}

namespace altiscope::cli {

/// Opens a capture with the common options: worker threads, cache, progress on stderr if that is a terminal.
Result<std::shared_ptr<const CaptureStore>> openCapture(const std::string& path, CommandContext& context,
                                                        WorkerArena& arena);

/// Prints the capture's diagnostics to stderr, one line each, if --diagnostics asked for them.
void printDiagnostics(const CaptureStore& capture, const CommandContext& context);

/// kOk, or kPartialData if --strict was given and data was lost, or kFailed if nothing could be read.
int statusOf(const CaptureStore& capture, const CommandContext& context);

}  // namespace altiscope::cli
