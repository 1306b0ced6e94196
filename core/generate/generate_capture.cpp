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

/// The steps of each rank as they are without one of the faults. Nothing is written. Noise is common: all that the
/// fault does not do happens as with it, and none changes how many steps and units there are.
Result<std::vector<std::vector<StepTruth>>> stepsWithout(std::size_t fault, const GenerateOptions& options,
                                                         const RunSizes& sizes, const CancelToken& cancel) {
    RunConditions others = options.conditions;
    others.plants.erase(others.plants.begin() + static_cast<std::ptrdiff_t>(fault));
    std::vector<StepCollector> collectors;
    for (std::uint32_t rank = 0; rank < options.ranks; ++rank) collectors.emplace_back(rank);
    const Result<Run> run = makeRun(sizes, options.seed, others, cancel,
                                    [&collectors](const Run& of, std::uint32_t rank, const UnitRecord& record) {
                                        collectors[rank].add(of, record);
                                    });
    if (!run.ok()) return run.as<std::vector<std::vector<StepTruth>>>();
    std::vector<std::vector<StepTruth>> steps;
    for (StepCollector& collector : collectors) steps.push_back(collector.take());
    return steps;
}

/// A step of the job takes as long as that of the rank which needs longest for it.
class JobSteps {
public:
    void add(const std::vector<StepTruth>& ofRank) {
        m_longest.resize(std::max(m_longest.size(), ofRank.size()));
        for (std::size_t i = 0; i < ofRank.size(); ++i) m_longest[i] = std::max(m_longest[i], ofRank[i].host.length());
    }
    DurationNs operator[](std::size_t step) const { return m_longest[step]; }

private:
    std::vector<DurationNs> m_longest;
};

/// What it costs that reductions hide behind nothing is what is exposed more than in the same run in which they may:
/// the last of them are waited for there too.
void noteLackOfOverlap(std::size_t number, const std::vector<StepTruth>& usual, std::vector<StepTruth>& steps) {
    for (std::size_t i = 0; i < steps.size() && i < usual.size(); ++i) {
        StepTruth& step = steps[i];
        if (step.planted[number].ticks == 0) continue;
        // A step that lost nothing stays named, with 0 ns.
        const std::int64_t lost = step.notOverlapped.value - usual[i].notOverlapped.value;
        step.planted[number].ticks = std::max<std::int64_t>(1, lost * DeviceTime::kPerNs);
    }
}

/// Plays the run once more without each of its faults: all others stay, and cost what they cost.
Result<Done> measureGains(const GenerateOptions& options, const RunSizes& sizes, std::vector<RankTruth>& truths,
                          const CancelToken& cancel) {
    JobSteps job;
    for (const RankTruth& truth : truths) job.add(truth.steps);
    for (std::size_t fault = 0; fault < options.conditions.plants.size(); ++fault) {
        const auto without = stepsWithout(fault, options, sizes, cancel);
        if (!without.ok()) return without.as<Done>();
        JobSteps healthy;
        for (const std::vector<StepTruth>& steps : without.value()) healthy.add(steps);
        const bool lacksOverlap = options.conditions.plants[fault].kind == FaultKind::NoOverlap;
        for (RankTruth& truth : truths) {
            if (lacksOverlap) noteLackOfOverlap(fault, without.value()[truth.rank], truth.steps);
            for (std::size_t i = 0; i < truth.steps.size(); ++i)
                truth.steps[i].gains.push_back({job[i].value - healthy[i].value});
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
    const Result<Done> measured = measureGains(options, sizes.value(), truths.value(), cancel);
    if (!measured.ok()) return measured.as<GenerateSummary>();
    const Result<Done> done = writeTruth(options, run.value(), truths.value(), target);
    if (!done.ok()) return done.as<GenerateSummary>();
    target.keep();
    progress.setPhase(ProgressPhase::Done);
    return GenerateSummary{options.ranks, sizes.value().steps, sizes.value().layers, target.bytes()};
}

}  // namespace altiscope::generate
