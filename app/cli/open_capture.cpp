#include "app/cli/open_capture.h"

#include "app/cli/progress_line.h"
#include "core/base/values/parse.h"
#include "core/query/capture_summary.h"
#include "core/session/cache_view.h"
#include "core/session/reading/capture_loader.h"

#include <charconv>
#include <optional>
#include <system_error>

namespace altiscope::cli {

std::string readRange(const CommandArguments& words, std::optional<TimeRange>& range) {
    const auto text = words.value("--range");
    if (!text) return {};
    range = timeRangeOf(*text);
    return range ? std::string() : "--range takes START_NS..END_NS, not \"" + *text + "\".";
}

std::string readListPart(const CommandArguments& words, ListPart& part) {
    for (const std::string_view option : {"--limit", "--offset"}) {
        const auto text = words.value(option);
        if (!text) continue;
        std::uint64_t number = 0;
        const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), number);
        if (error != std::errc{} || end != text->data() + text->size())
            return std::string(option) + " takes a number from 0 on, not \"" + *text + "\".";
        if (option == "--limit") part.limit = number;
        else part.offset = number;
    }
    return {};
}

Result<std::shared_ptr<const CaptureStore>> openCapture(const std::string& path, CommandContext& context,
                                                        WorkerArena& arena, const CapturePart& part) {
    LoadOptions options;
    options.preferText = context.options.prefer == "text";
    options.preferDatabase = context.options.prefer == "db";
    if (!context.options.noCache) options.cacheFolder = cacheFolder(context.options.cacheDir);
    options.ranks.window = part.range;
    options.ranks.acceptsWhole = part.acceptsWhole;
    options.ranks.onlyTables = part.onlyTables;
    options.ranks.onlyNumbers = part.onlyNumbers;
    if (part.onlyList) options.ranks.onlyNumbers.emplace();
    options.onlySums = part.onlySums;
    if (const auto source = context.packSources.find(path); source != context.packSources.end())
        options.packSource = source->second;
    options.onRank = part.onRank;
    ProgressSlot progress;
    const ProgressLine line(progress, context, percentText);
    std::optional<Result<std::shared_ptr<const CaptureStore>>> loaded;
    arena.run([&] { loaded = loadCapture(path, options, progress, context.cancel); });
    // A request that cannot be met is reported in any case.
    if (loaded->ok() && !context.options.diagnostics) {
        for (const Diagnostic& entry : loaded->value()->diagnostics.entries()) {
            if (entry.code == "cache.inside_capture" || entry.code == "pack.read_whole")
                printMessage(diagnosticText(entry));
        }
    }
    return std::move(*loaded);
}

void printDiagnostics(const CaptureStore& capture, const CommandContext& context) {
    if (!context.options.diagnostics) return;
    for (const Diagnostic& entry : diagnosticsOf(capture)) printMessage(diagnosticText(entry));
}

Result<std::shared_ptr<const CaptureStore>> openReadable(const std::string& path, CommandContext& context,
                                                         WorkerArena& arena, const CapturePart& part) {
    auto capture = openCapture(path, context, arena, part);
    if (!capture.ok()) return capture;
    printDiagnostics(*capture.value(), context);
    if (!isUnreadable(*capture.value())) return capture;
    for (const Diagnostic& entry : diagnosticsOf(*capture.value())) printMessage(diagnosticText(entry));
    return std::shared_ptr<const CaptureStore>();
}

int statusOf(const CaptureStore& capture, const CommandContext& context) {
    if (isUnreadable(capture)) return kFailed;
    return context.options.strict && holdsPartialData(capture) ? kPartialData : kOk;
}

int worstStatusOf(const std::vector<std::shared_ptr<const CaptureStore>>& captures, const CommandContext& context) {
    for (const auto& capture : captures)
        if (const int status = statusOf(*capture, context); status != kOk) return status;
    return kOk;
}

}  // namespace altiscope::cli
