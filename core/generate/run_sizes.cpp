#include "core/generate/run_sizes.h"

#include "core/generate/model/training_program.h"
#include "core/generate/ranks/rank_writer.h"
#include "core/generate/records/memory_history.h"
#include "core/generate/snapshot/snapshot_writer.h"
#include "core/generate/text/host_trace.h"

#include <algorithm>
#include <cmath>

namespace altiscope::generate {

namespace {

/// Bytes of a rank in all requested formats but memory snapshots, per byte of its text files. A database of a rank, or
/// its records, are nearly always as large in proportion; a cluster's files are no rank's.
double bytesPerTextByte(const GenerateOptions& options) {
    constexpr double kDatabase = 0.23, kRaw = 0.35;
    const double bytes =
        (wants(options, CaptureFormat::Text) ? 1 : 0) + (wants(options, CaptureFormat::MindSpore) ? 1 : 0) +
        (wants(options, CaptureFormat::Db) ? kDatabase : 0) + (wants(options, CaptureFormat::Raw) ? kRaw : 0);
    return bytes > 0 || wants(options, CaptureFormat::Snapshot) ? bytes : 1;
}

/// Bytes of rank 0 in all requested formats.
Result<std::uint64_t> measuredBytes(const RunSizes& sizes, const GenerateOptions& options, const CancelToken& cancel) {
    const Result<Run> run = makeRun(sizes, options.seed, options.conditions, cancel);
    if (!run.ok()) return run.as<std::uint64_t>();
    ProgressSlot progress;
    const PassContext context{run.value(), progress, cancel, 1};
    std::uint64_t bytes = 0;
    if (const double perTextByte = bytesPerTextByte(options); perTextByte > 0) {
        const JsonTexts texts(run.value().program);
        CountingTarget target;
        const Result<RankTruth> written = writeRank(context, texts, target, 0);
        if (!written.ok()) return written.as<std::uint64_t>();
        bytes += static_cast<std::uint64_t>(static_cast<double>(target.bytes()) * perTextByte);
    }
    if (wants(options, CaptureFormat::Snapshot)) {
        CountingTarget target;
        const Result<Done> written = writeSnapshot(context, target, 0);
        if (!written.ok()) return written.as<std::uint64_t>();
        bytes += target.bytes();
    }
    return bytes;
}

/// A number of the sizes that is to be found.
struct FittedNumber {
    std::uint32_t RunSizes::*number = nullptr;
    std::uint32_t max = 0;
    std::uint32_t unit = 1;  ///< It is a multiple of this.
};

/// A size grows nearly in proportion with each of its numbers, so two measurements tell the number for a size.
/// @param sizes  Gets one and two units for the measurements, and then the number of them that comes nearest.
/// @return Bytes at that number.
Result<std::uint64_t> fitNumber(RunSizes& sizes, const FittedNumber& fitted, const GenerateOptions& options,
                                const CancelToken& cancel) {
    const auto [number, max, unit] = fitted;
    sizes.*number = unit;
    const Result<std::uint64_t> one = measuredBytes(sizes, options, cancel);
    if (!one.ok()) return one;
    sizes.*number = 2 * unit;
    const Result<std::uint64_t> two = measuredBytes(sizes, options, cancel);
    if (!two.ok()) return two;
    const double step = static_cast<double>(two.value()) - static_cast<double>(one.value());
    const double rest = static_cast<double>(*options.size) - static_cast<double>(one.value());
    const double wanted = std::clamp(std::round(rest / step), 0.0, static_cast<double>(max / unit) - 1.0);
    sizes.*number = unit * (1 + static_cast<std::uint32_t>(wanted));
    return one.value() + static_cast<std::uint64_t>(wanted * step);
}

/// The AI CPU is no match for the cores, and each call has to get there.
void moveToAiCpu(RunProgram& program, const std::string& type, std::uint32_t plant) {
    constexpr std::int64_t kTimesSlower = 30;
    constexpr std::int64_t kCallNs = 250'000;
    for (LaunchSpec& launch : program.launches) {
        for (TaskSpec& task : launch.tasks) {
            if (task.kind != TaskKind::Kernel || program.texts[program.kernels[task.index].type] != type) continue;
            program.kernels[task.index].core = CoreKind::AiCpu;
            task.normalNs = task.typicalNs;
            task.typicalNs = task.typicalNs * kTimesSlower + kCallNs;
            task.slowedBy = plant + 1;
        }
    }
}

/// The program of a run with what its planted faults change in it.
RunProgram programOf(const RunPlan& plan, ProgramExtras extras) {
    for (const Plant& plant : plan.conditions.plants) {
        if (plant.kind == FaultKind::Leak) extras.leaks.push_back(plant.amount);
        if (plant.kind == FaultKind::NoOverlap) extras.waitsForReductions = true;
    }
    RunProgram program = trainingProgram(plan.model, extras);
    for (const Plant& plant : plan.conditions.plants) {
        const auto isType = [&](const KernelSpec& kernel) { return program.texts[kernel.type] == plant.name; };
        if (plant.kind != FaultKind::AiCpu) continue;
        if (std::none_of(program.kernels.begin(), program.kernels.end(), isType))
            extras.operations.push_back(plant.name);
    }
    if (!extras.operations.empty()) program = trainingProgram(plan.model, extras);
    for (std::size_t i = 0; i < plan.conditions.plants.size(); ++i) {
        if (plan.conditions.plants[i].kind == FaultKind::AiCpu)
            moveToAiCpu(program, plan.conditions.plants[i].name, static_cast<std::uint32_t>(i));
    }
    return program;
}

void makeProgram(Run& run, const ProgramExtras& extras) {
    run.program = programOf(run.plan, extras);
    countUnits(run.plan, run.program);
    const auto& names = run.plan.conditions.distinctNames;
    if (!names) return;
    for (std::uint32_t stage = 0; stage < run.program.stages.size(); ++stage)
        run.program.stages[stage].namePool.emplace(run.plan, run.program, stage, *names);
}

/// Names that the timelines of each stage can show.
std::uint64_t fewestNames(const RunProgram& program) {
    std::uint64_t fewest = program.stages.front().namePool->names();
    for (const StageProgram& stage : program.stages) fewest = std::min(fewest, stage.namePool->names());
    return fewest;
}

}  // namespace

Result<Run> makeRun(const RunSizes& sizes, std::uint64_t seed, const RunConditions& conditions,
                    const CancelToken& cancel, const UnitObserver& observe) {
    Run run;
    run.plan = planRun(sizes, seed, conditions);
    ProgramExtras extras;
    makeProgram(run, extras);
    if (conditions.distinctNames && fewestNames(run.program) < *conditions.distinctNames) {
        // The run has too few calls for that many names: more of them in every step.
        const std::uint64_t missing = *conditions.distinctNames - fewestNames(run.program);
        extras.loggedValues = static_cast<std::uint32_t>(missing / sizes.steps + 2);
        makeProgram(run, extras);
    }
    RunSchedule::Observer record;
    if (observe) {
        record = [&](std::uint32_t rank, std::uint64_t unit, HostWalk& host, const DeviceWalk& device) {
            observe(run, rank, recordPlayed(run, rank, unit, host, device));
        };
    }
    const Result<Done> played = run.schedule.play(run.plan, run.program, record, cancel);
    if (!played.ok()) return played.as<Run>();
    for (std::uint32_t stage = 0; stage < run.program.stages.size(); ++stage)
        run.memory.push_back(memoryLevels(run.plan, run.program, stage));
    return run;
}

Result<RunSizes> chooseSizes(const GenerateOptions& options, const CancelToken& cancel) {
    RunSizes sizes{options.ranks, options.steps.value_or(kDefaultSteps),
                   options.layers.value_or(usualLayers(options.conditions.model)), 1};
    if (!options.size) return sizes;
    const auto wanted = static_cast<double>(*options.size);
    double reached = 0;
    const auto fit = [&](std::uint32_t RunSizes::*number, std::uint32_t most, std::uint32_t unit = 1) -> Result<Done> {
        const Result<std::uint64_t> bytes = fitNumber(sizes, {number, most, unit}, options, cancel);
        if (!bytes.ok()) return bytes.as<Done>();
        reached = static_cast<double>(bytes.value());
        return Done{};
    };
    const auto isNear = [&] { return reached > wanted * 0.9 && reached < wanted * 1.1; };
    // Steps are what makes a real capture long; layers make up for what a whole number of steps cannot reach.
    if (!options.steps) {
        const Result<Done> done = fit(&RunSizes::steps, kMaxSteps);
        if (!done.ok()) return done.as<RunSizes>();
    }
    if (!options.layers && !isNear()) {
        constexpr std::uint32_t kMaxFitted = 96;
        // The layers of a pipeline are halved between its stages.
        const bool halved = hasPipeline(sizes.ranks, options.conditions.model);
        const Result<Done> done = fit(&RunSizes::layers, kMaxFitted, halved ? 2 : 1);
        if (!done.ok()) return done.as<RunSizes>();
    }
    if (options.steps && !isNear() && reached < wanted) {
        constexpr std::uint32_t kMaxUnits = 100'000'000;
        const Result<Done> done = fit(&RunSizes::microBatches, kMaxUnits);
        if (!done.ok()) return done.as<RunSizes>();
    }
    if (reached > wanted * 1.5) {
        const MessageParameters parameters{{"size", std::to_string(*options.size)},
                                           {"minimum", std::to_string(static_cast<std::uint64_t>(reached))}};
        return Error{.code = "generate.too_small", .file = {}, .place = {}, .parameters = parameters};
    }
    return sizes;
}

}  // namespace altiscope::generate
