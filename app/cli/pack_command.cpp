#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "app/cli/progress_line.h"
#include "core/base/text/printable_text.h"
#include "core/base/text/text.h"
#include "core/base/values/parse.h"
#include "core/pack/pack_writer.h"
#include "core/session/files/write_guard.h"
#include "core/session/workspace/capture_identity.h"

#include <optional>

namespace altiscope::cli {

namespace {

struct PackArguments {
    std::string capture, out;
    pack::PackOptions options;
    std::string problem;
};

PackArguments parsePack(std::span<const std::string> arguments) {
    const CommandArguments read = readArguments(arguments, {"--out", "--ranks", "--without"});
    PackArguments words{.capture = read.words.empty() ? std::string() : read.words.front(),
                        .out = read.value("--out").value_or(""),
                        .options = {},
                        .problem = read.problem};
    if (!words.problem.empty()) return words;
    const auto ranks = read.value("--ranks"), without = read.value("--without");
    if (ranks) words.options.ranks = numbersOf(*ranks);
    words.options.withArguments = !without;
    words.options.program = ALTI_VERSION;
    if (words.capture.empty()) words.problem = "A capture is missing.";
    else if (read.words.size() > 1) words.problem = "pack takes one capture, not \"" + read.words[1] + "\" too.";
    else if (words.out.empty()) words.problem = "pack needs --out.";
    else if (!words.out.ends_with(".altipack")) words.problem = "--out takes a name that ends with .altipack.";
    else if (ranks && (!words.options.ranks || words.options.ranks->empty()))
        words.problem = "--ranks takes numbers as in 0,2,4-7, not \"" + *ranks + "\".";
    else if (without && *without != "args") words.problem = "--without takes args, not \"" + *without + "\".";
    return words;
}

}  // namespace

std::string_view packHelp() {
    return "usage: altiscope-cli pack CAPTURE --out FILE.altipack [--ranks LIST] [--without args]\n"
           "\n"
           "Writes all that is read of a capture as one compressed file: events, tables, arguments, call stacks, what "
           "was "
           "wrong with its\n"
           "files, and which files these were. A pack opens wherever a capture opens, without the capture's folder, "
           "and "
           "answers as it\n"
           "does; arguments are read from it when they are looked at. An existing FILE is replaced once the new one is "
           "complete.\n"
           "Of a pack that was damaged or cut, the ranks whose events are whole are shown, and the others are named, "
           "unless its list of\n"
           "ranks is damaged, or no rank is whole. Ranks are shown by the version of Altiscope that packed them, and "
           "by those that keep\n"
           "events the same way. --range leaves nothing of a pack out: it is read whole.\n"
           "  --ranks LIST    ranks, as in 0,2,4-7\n"
           "  --without args  leaves the arguments of events out, about half of the file\n";
}

int runPack(std::span<const std::string> arguments, CommandContext& context) {
    PackArguments words = parsePack(arguments);
    if (!words.problem.empty()) return reportWrongUsage("pack", words.problem);
    if (liesInCapture(words.capture, words.out)) return reportError({"export.inside_capture", words.out, {}, {}});
    WorkerArena arena(context.options.jobs);
    const auto capture = openReadable(words.capture, context, arena);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) return reportError(capture.error());
    if (capture.value() == nullptr) return kFailed;
    const auto identity = identifyCapture(words.capture, context.cancel);
    if (identity.cancelled()) return kCancelled;
    if (identity.ok()) words.options.identity = identity.value();
    ProgressSlot progress;
    std::optional<Result<pack::PackSummary>> done;
    {
        const ProgressLine line(progress, context, percentText);
        arena.run(
            [&] { done = pack::writePack(*capture.value(), words.options, words.out, progress, context.cancel); });
    }
    if (done->cancelled()) return kCancelled;
    if (done->failed()) return reportError(done->error());
    const pack::PackSummary& summary = done->value();
    if (!summary.missingRanks.empty())
        printMessage("The capture has none of these ranks: " + summary.missingRanks + ".");
    if (context.options.json) {
        context.out.write("{\"path\":" + jsonQuoted(words.out) + ",\"ranks\":" + std::to_string(summary.ranks) +
                          ",\"bytes\":" + std::to_string(summary.bytes) +
                          ",\"argument_bytes\":" + std::to_string(summary.argumentBytes) + "}\n");
    } else {
        context.out.write(printableText(words.out) + ": ranks " + std::to_string(summary.ranks) + ", " +
                          megabytesText(summary.bytes) + ", " + megabytesText(summary.argumentBytes) +
                          " of it arguments\n");
    }
    return statusOf(*capture.value(), context);
}

}  // namespace altiscope::cli
