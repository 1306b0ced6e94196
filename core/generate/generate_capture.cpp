#include "core/generate/generate_capture.h"

#include "core/generate/format_writers.h"
#include "core/generate/ranks/capture_truth.h"
#include "core/generate/run_sizes.h"
#include "core/generate/support/output_target.h"

#include <algorithm>
#include <utility>
#include <vector>

namespace altiscope::generate {

namespace {

/// Units of one rank in memory at the same time, so that those of all ranks that are written at once are a few: enough
/// for the workers, fewer if a unit is large.
std::size_t unitsAtOnce(const RunPlan& plan) {
    const std::uint32_t inFlight = std::clamp(256 / plan.model.layers, 2U, 8U);
    return std::max(inFlight / plan.ranks, 1U);
}

/// What it costs that reductions hide behind nothing is what the steps lose against the same run in which they may: the
/// last of them are waited for there too.
Result<Done> measureLackOfOverlap(const GenerateOptions& options, const RunSizes& sizes, std::vector<RankTruth>& truths,
                                  const CancelToken& cancel) {
    std::vector<Plant> others = options.conditions.plants;
    const auto isLack = [](const Plant& plant) { return plant.kind == FaultKind::NoOverlap; };
    const auto lack = std::find_if(others.begin(), others.end(), isLack);
    if (lack == others.end()) return Done{};
    const auto number = static_cast<std::size_t>(lack - others.begin());
    // The lack alone: other faults cost what they cost, and none changes how many steps and units there are.
    RunConditions hidden = options.conditions;
    hidden.plants.erase(hidden.plants.begin() + static_cast<std::ptrdiff_t>(number));
    std::vector<StepCollector> collectors;
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) collectors.emplace_back(rank);
    const Result<Run> run = makeRun(sizes, options.seed, hidden, cancel,
                                    [&collectors](const Run& of, std::uint32_t rank, const UnitRecord& record) {
                                        collectors[rank].add(of, record);
                                    });
    if (!run.ok()) return run.as<Done>();
    for (RankTruth& truth : truths) {
        const std::vector<StepTruth> usual = collectors[truth.rank].take();
        for (std::size_t i = 0; i < truth.steps.size() && i < usual.size(); ++i) {
            StepTruth& step = truth.steps[i];
            if (step.planted[number].ticks == 0) continue;
            // A step that lost nothing stays named, with 0 ns.
            const std::int64_t lost = step.notOverlapped.value - usual[i].notOverlapped.value;
            step.planted[number].ticks = std::max<std::int64_t>(1, lost * DeviceTime::kPerNs);
        }
    }
    return Done{};
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
    // A cluster alone holds little more of a run than what is known as soon as it is planned.
    std::vector<StepCollector> steps;
    UnitObserver observe;
    if (isClusterAlone(options)) {
        for (std::uint32_t rank = 0; rank < options.ranks; ++rank) steps.emplace_back(rank);
        observe = [&steps](const Run& of, std::uint32_t rank, const UnitRecord& record) {
            steps[rank].add(of, record);
        };
    }
    const Result<Run> run = makeRun(sizes.value(), options.seed, options.conditions, cancel, observe);
    if (!run.ok()) return run.as<GenerateSummary>();
    progress.setPhase(ProgressPhase::Writing);
    if (options.size) progress.addTotal(*options.size * options.ranks);

    const PassContext context{run.value(), progress, cancel, unitsAtOnce(run.value().plan), options.lateMetadata};
    Result<std::vector<RankTruth>> truths = writeFormats(options, context, std::move(steps), target);
    if (!truths.ok()) return truths.as<GenerateSummary>();
    const Result<Done> measured = measureLackOfOverlap(options, sizes.value(), truths.value(), cancel);
    if (!measured.ok()) return measured.as<GenerateSummary>();
    const Result<Done> done = writeTruth(options, run.value(), truths.value(), target);
    if (!done.ok()) return done.as<GenerateSummary>();
    target.keep();
    progress.setPhase(ProgressPhase::Done);
    return GenerateSummary{options.ranks, sizes.value().steps, sizes.value().layers, target.bytes()};
}

}  // namespace altiscope::generate
