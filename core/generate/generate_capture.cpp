#include "core/generate/generate_capture.h"

#include "core/generate/format_writers.h"
#include "core/generate/options/plant_options.h"
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

/// Steps of the job, from the begin of the rank that begins a step last to that of the one that begins the next step
/// last, in the job's time: pauses between two steps count, and all steps add up to the run.
class JobSteps {
public:
    explicit JobSteps(std::size_t steps) : m_borders(steps + 1) {}

    void add(const std::vector<StepTruth>& ofRank, const SimulatedClock& clock) {
        if (ofRank.empty()) return;
        for (std::size_t i = 0; i < m_borders.size(); ++i) {
            const TimeNs border = i < ofRank.size() ? ofRank[i].host.begin : ofRank.back().host.end;
            m_borders[i] = std::max(m_borders[i], clock.job(border));
        }
    }
    DurationNs operator[](std::size_t step) const { return m_borders[step + 1] - m_borders[step]; }

private:
    std::vector<TimeNs> m_borders;
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
Result<Done> measureGains(const GenerateOptions& options, const RunSizes& sizes, const RunPlan& plan,
                          std::vector<RankTruth>& truths, const CancelToken& cancel) {
    if (truths.empty() || truths.front().steps.empty()) return Done{};
    const std::size_t steps = truths.front().steps.size();
    JobSteps job(steps);
    for (const RankTruth& truth : truths) job.add(truth.steps, plan.identities[truth.rank].clock);
    for (std::size_t fault = 0; fault < options.conditions.plants.size(); ++fault) {
        const auto without = stepsWithout(fault, options, sizes, cancel);
        if (!without.ok()) return without.as<Done>();
        JobSteps healthy(steps);
        for (std::size_t rank = 0; rank < without.value().size(); ++rank)
            healthy.add(without.value()[rank], plan.identities[rank].clock);
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
    // With a size the number of steps is known only now.
    const Result<Done> possible =
        checkPlants(options.conditions, options.ranks, sizes.value().layers, sizes.value().steps);
    if (!possible.ok()) return possible.as<GenerateSummary>();
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
    const Result<Done> measured = measureGains(options, sizes.value(), run.value().plan, truths.value(), cancel);
    if (!measured.ok()) return measured.as<GenerateSummary>();
    const Result<Done> done = writeTruth(options, run.value(), truths.value(), target);
    if (!done.ok()) return done.as<GenerateSummary>();
    target.keep();
    progress.setPhase(ProgressPhase::Done);
    return GenerateSummary{options.ranks, sizes.value().steps, sizes.value().layers, target.bytes()};
}

}  // namespace altiscope::generate
