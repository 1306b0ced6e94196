#include "core/generate/generate_capture.h"

#include "core/base/parallel.h"
#include "core/generate/capture_truth.h"
#include "core/generate/output_target.h"
#include "core/generate/rank_writer.h"
#include "core/generate/run_sizes.h"

#include <algorithm>
#include <atomic>
#include <optional>
#include <utility>
#include <vector>

namespace altiscope::generate {

namespace {

/// Units of one rank in memory at the same time, so that those of all ranks that are written at once are a few: enough for
/// the workers, fewer if a unit is large.
std::size_t unitsAtOnce(const RunPlan& plan) {
    const std::uint32_t inFlight = std::clamp(256 / plan.model.layers, 2U, 8U);
    return std::max(inFlight / plan.ranks, 1U);
}

Result<std::vector<RankTruth>> writeRanks(const Run& run, const GenerateOptions& options, OutputTarget& target,
                                          ProgressSlot& progress, const CancelToken& cancel) {
    const JsonTexts texts(run.program);
    const PassContext context{run, progress, cancel, unitsAtOnce(run.plan), options.lateMetadata};
    std::vector<std::optional<Result<RankTruth>>> results(run.plan.ranks);
    std::atomic<bool> failed = false;
    parallelFor(run.plan.ranks, [&](std::size_t rank) {
        if (failed) return;
        results[rank] = writeRank(context, texts, target, static_cast<std::uint32_t>(rank));
        if (!results[rank]->ok()) failed = true;
    });
    std::vector<RankTruth> truths;
    for (auto& result : results) {
        if (result && !result->ok()) return result->as<std::vector<RankTruth>>();
        if (result) truths.push_back(std::move(*result).value());
    }
    return truths;
}

}  // namespace

Result<GenerateSummary> generateCapture(const GenerateOptions& options, ProgressSlot& progress,
                                        const CancelToken& cancel) {
    // First, so that a folder that cannot be used is known before minutes of work.
    Result<std::unique_ptr<DiskTarget>> made = DiskTarget::make(options.output);
    if (!made.ok()) return made.as<GenerateSummary>();
    DiskTarget& target = *made.value();

    const Result<RunSizes> sizes = chooseSizes(options, cancel);
    if (!sizes.ok()) return sizes.as<GenerateSummary>();
    const Result<Run> run = makeRun(sizes.value(), options.seed, options.conditions, cancel);
    if (!run.ok()) return run.as<GenerateSummary>();
    progress.setPhase(ProgressPhase::Writing);
    if (options.size) progress.addTotal(*options.size * options.ranks);

    const Result<std::vector<RankTruth>> truths = writeRanks(run.value(), options, target, progress, cancel);
    if (!truths.ok()) return truths.as<GenerateSummary>();
    auto stream = target.open("truth.json");
    if (!stream.ok()) return stream.as<GenerateSummary>();
    Result<Done> done = stream.value()->write(truthJson(options, run.value().plan, truths.value()));
    if (done.ok()) done = stream.value()->close();
    if (!done.ok()) return done.as<GenerateSummary>();
    target.keep();
    progress.setPhase(ProgressPhase::Done);
    return GenerateSummary{options.ranks, sizes.value().steps, sizes.value().layers, target.bytes()};
}

}  // namespace altiscope::generate
