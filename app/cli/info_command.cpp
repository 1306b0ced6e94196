#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/query/capture_summary.h"

namespace altiscope::cli {

std::string_view infoHelp() {
    return "usage: altiscope-cli info CAPTURE [--json]\n"
           "\n"
           "Prints what was found in a folder or file: ranks, devices, hosts, kinds, versions, time span, steps, rows per\n"
           "table and everything that was repaired or left out. --json gives one object for scripts.\n";
}

int runInfo(std::span<const std::string> arguments, CommandContext& context) {
    if (arguments.size() != 1 || arguments[0].starts_with('-')) {
        return reportWrongUsage("info", arguments.empty() ? "A capture is missing." : "info takes one capture and no further words.");
    }
    WorkerArena arena(context.options.jobs);
    const auto capture = openCapture(arguments[0], context, arena);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) {
        if (context.options.json) context.out.write(failedCaptureJson(arguments[0], capture.error()));
        return reportError(capture.error());
    }
    const auto summary = summariseCapture(capture.value(), context.cancel);
    if (summary.cancelled()) return kCancelled;
    if (summary.failed()) return reportError(summary.error());
    context.out.write(context.options.json ? captureJson(summary.value()) : captureText(summary.value()));
    if (!context.options.json) printDiagnostics(*capture.value(), context);
    return statusOf(*capture.value(), context);
}

}  // namespace altiscope::cli
