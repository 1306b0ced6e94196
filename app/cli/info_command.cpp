#include "app/cli/command_line.h"
#include "app/cli/commands.h"
#include "app/cli/info_sums.h"
#include "app/cli/open_capture.h"
#include "app/cli/output.h"
#include "core/analysis/capture_analysis.h"
#include "core/pack/pack_file.h"
#include "core/report/capture_text.h"
#include "core/session/cache_choice.h"
#include "core/session/cache_view.h"
#include "core/session/reading/capture_results.h"
#include "core/session/reading/kept_results.h"

#include <chrono>
#include <filesystem>
#include <memory>
#include <optional>
#include <utility>

namespace altiscope::cli {

std::string_view infoHelp() {
    return "usage: altiscope-cli info CAPTURE [--range START_NS..END_NS] [--limit N] [--offset N] [--json]\n"
           "       altiscope-cli info PACK --sums [--json]\n"
           "\n"
           "Prints what was found in a folder, file or archive: ranks, devices, hosts, kinds, versions, time span, "
           "steps, rows\n"
           "per table and everything that was repaired or left out. --json gives one object for scripts.\n"
           "With --range only this time (ns of the trace's clock) is read: slices that touch it, other events within "
           "it.\n"
           "--limit and --offset choose a part of its two long lists, ranks and diagnostics; \"lists\" then says how "
           "long each is.\n"
           "With --sums a pack, or a folder of packs, says what it knows of its ranks without reading one: rows per "
           "table, times and\n"
           "the sums of each step. A pack that holds the results of its ranks is described by them; with --strict its "
           "ranks are\n"
           "read and checked.\n";
}

namespace {

/// Summary that a pack holds of its ranks, none of which is read; nullopt: they have to be.
std::optional<CaptureSummary> summaryOfPack(const std::string& path, CommandContext& context, WorkerArena& arena) {
    if (!pack::isPack(path)) return std::nullopt;
    CapturePart part;
    part.onlySums = true;
    const auto capture = openCapture(path, context, arena, part);
    if (!capture.ok()) return std::nullopt;
    const auto source = context.packSources.find(path);
    std::shared_ptr<const CaptureResults> results;
    arena.run([&] {
        results = resultsOfPack(*capture.value(), ALTI_VERSION, context.cancel,
                                source == context.packSources.end() ? nullptr : source->second);
    });
    if (results == nullptr) return std::nullopt;
    CaptureSummary summary = results->summary;
    summary.versions = versionsOf(*capture.value());
    summary.capture = capture.value();
    return summary;
}

/// Summary of ranks that are read: from the cache where it holds that of just these, else computed and kept there.
/// @return nullopt if cancelled.
std::optional<CaptureSummary> summaryOfRanks(const std::shared_ptr<const CaptureStore>& capture,
                                             CommandContext& context) {
    const KeptResults kept(context.options.noCache ? std::filesystem::path() : cacheFolder(context.options.cacheDir),
                           cacheChoice().limit, ALTI_VERSION);
    if (const auto known = kept.find(*capture, context.cancel)) {
        CaptureSummary summary = known->summary;
        summary.versions = versionsOf(*capture);
        summary.capture = capture;
        return summary;
    }
    const auto begin = std::chrono::steady_clock::now();
    const CaptureAnalysis analysis(capture);
    auto summary = summariseCapture(capture, analysis, context.cancel);
    if (!summary || !KeptResults::isWorth(std::chrono::steady_clock::now() - begin)) return summary;
    if (const auto results = resultsBeside(*summary, analysis, context.cancel))
        kept.keep(*capture, *results, context.cancel);
    return summary;
}

int writeSummary(const CaptureSummary& summary, const ListPart& lists, const CapturePart& part,
                 CommandContext& context) {
    context.out.write(context.options.json ? captureJson(summary, lists, part.range) : captureText(summary, lists));
    return statusOf(*summary.capture, context);
}

}  // namespace

int runInfo(std::span<const std::string> arguments, CommandContext& context) {
    const CommandArguments words = readArguments(arguments, {"--range", "--limit", "--offset"}, {"--sums"});
    CapturePart part;
    if (!words.problem.empty()) return reportWrongUsage("info", words.problem);
    if (words.words.empty()) return reportWrongUsage("info", "A capture is missing.");
    if (words.words.size() > 1)
        return reportWrongUsage("info", "info takes one capture, not \"" + words.words[1] + "\" too.");
    if (const std::string problem = readRange(words, part.range); !problem.empty())
        return reportWrongUsage("info", problem);
    ListPart lists;
    if (const std::string problem = readListPart(words, lists); !problem.empty())
        return reportWrongUsage("info", problem);
    const std::string& path = words.words[0];
    WorkerArena arena(context.options.jobs);
    if (words.has("--sums")) {
        if (words.options.size() > 1) return reportWrongUsage("info", "--sums goes with no other option of info.");
        return runInfoSums(path, context, arena);
    }
    // Losses show where all is read.
    if (!part.range && !context.options.strict) {
        const auto known = summaryOfPack(path, context, arena);
        if (context.cancel.cancelled()) return kCancelled;
        if (known) return writeSummary(*known, lists, part, context);
    }
    const auto capture = openCapture(path, context, arena, part);
    if (capture.cancelled()) return kCancelled;
    if (capture.failed()) {
        if (context.options.json) context.out.write(failedCaptureJson(path, capture.error()));
        return reportError(capture.error());
    }
    std::optional<CaptureSummary> summary;
    arena.run([&] { summary = summaryOfRanks(capture.value(), context); });
    if (!summary) return kCancelled;
    return writeSummary(*summary, lists, part, context);
}

}  // namespace altiscope::cli
