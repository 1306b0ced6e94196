#include "core/report/export/trace_export.h"

#include "core/base/files/pending_file.h"
#include "core/base/threads/parallel.h"
#include "core/report/export/trace_parts.h"

#include <algorithm>

namespace altiscope {

namespace {

/// Parts that are made at a time; the parts of the time before are written meanwhile.
constexpr std::size_t kParts = 8;

/// The text before the list of events. It has the form of the profilers of PyTorch, so that readers know the rank.
std::string headOf(const std::vector<ExportedRank>& ranks) {
    std::string head = "{";
    if (ranks.size() == 1 && ranks.front().entry->info.rankId)
        head += "\"distributedInfo\":{\"rank\":" + std::to_string(*ranks.front().entry->info.rankId) + "},";
    return head + "\"displayTimeUnit\":\"ns\",\"traceEvents\":[";
}

}  // namespace

Result<TraceExportSummary> exportTrace(const CaptureStore& capture, const TraceExportOptions& options,
                                       const std::filesystem::path& file, ProgressSlot& progress,
                                       const CancelToken& cancel) {
    const auto ranks = selectRanks(capture, options);
    if (!ranks.ok()) return ranks.as<TraceExportSummary>();
    const std::vector<ExportPart> parts = partsOf(ranks.value());
    progress.setPhase(ProgressPhase::Writing);
    progress.addTotal(parts.size());

    PendingFile out(file, PendingFile::Access::Shared, &cancel);
    TraceExportSummary summary;
    bool good = out.opened();
    const auto write = [&](std::string_view text) {
        good = good && out.write(text);
        summary.bytes += text.size();
    };
    write(headOf(ranks.value()));
    std::vector<WrittenPart> making(kParts), made;
    bool isFirst = true;
    for (std::size_t begin = 0; good && !cancel.cancelled() && (begin < parts.size() || !made.empty());
         begin += kParts) {
        const std::size_t count = std::min(kParts, parts.size() - std::min(begin, parts.size()));
        making.resize(count);
        parallelFor(count + 1, [&](std::size_t i) {
            if (i < count) return writePart(ranks.value(), parts[begin + i], making[i]);
            for (const WrittenPart& part : made) {
                std::string_view text = part.text.view();
                // Each event has its comma before it.
                if (isFirst && !text.empty()) text.remove_prefix(1);
                isFirst = isFirst && text.empty();
                write(text);
            }
        });
        for (WrittenPart& part : made) part.text.clear();
        std::swap(making, made);
        for (WrittenPart& part : made) {
            summary.slices += std::exchange(part.slices, 0);
            summary.samples += std::exchange(part.samples, 0);
            summary.instants += std::exchange(part.instants, 0);
            summary.flows += std::exchange(part.flows, 0);
            summary.diagnostics.merge(std::exchange(part.diagnostics, {}));
        }
        progress.addDone(count);
    }
    write("\n]}\n");
    if (cancel.cancelled()) return Cancelled{};
    if (!good || !out.keep()) return Error{"export.not_written", file.string(), {}, {{"reason", out.problem()}}};
    progress.setPhase(ProgressPhase::Done);
    return summary;
}

}  // namespace altiscope
