#pragma once

#include "core/base/values/time.h"
#include "core/generate/model/model_stage.h"
#include "core/generate/support/run_conditions.h"
#include "core/generate/support/simulated_clock.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::generate {

/// Ranks that communicate with each other.
struct PlannedGroup {
    std::string name;                    ///< Text id, as in parallel_group_info.
    std::string parallelType;            ///< "dp", "tp", "pp", "ep", "dp_modulo_ep"
    std::uint64_t hash = 0;              ///< Of `name`; the decimal hash is the group's name in communication files.
    std::uint32_t slot = 0;              ///< As stage_emitter.h numbers them.
    std::vector<std::uint32_t> members;  ///< Global ranks, ascending; the index is the local rank.
    std::uint32_t slowFactor = 1;        ///< How many times slower its slowest link is.
    /// Number of the plant that makes it so: the first of those with this factor.
    std::optional<std::size_t> slowPlant;
};

/// Where a rank stands in one of its groups.
struct Membership {
    std::uint32_t group = 0;  ///< Index into RunPlan::groups.
    std::uint32_t localRank = 0;
    std::vector<std::uint32_t> peers;  ///< Local ranks that it exchanges data with directly, one plane each.
};

/// Numbers of the processes, threads and device of one rank.
struct RankIdentity {
    std::uint32_t rank = 0;
    std::uint32_t device = 0;   ///< On its host, 0..7.
    std::uint32_t stage = 0;    ///< Of the pipeline.
    std::uint32_t hostPid = 0;  ///< Python process; its main thread has the same number.
    std::uint32_t autogradTid = 0;
    std::uint32_t queueTid = 0;  ///< Takes tasks out of the queue.
    std::uint32_t cleanupTid = 0;
    std::vector<std::optional<Membership>> memberships;  ///< By group slot.
    SimulatedClock clock;                                ///< All that the rank records is in its own time.
    std::uint32_t warmupSteps = 0;  ///< In which its collectives were counted already, though not recorded.
    bool recordsGarbageCollection = false;
};

/// What is fixed before the first event: sizes, ranks, groups, clock.
struct RunPlan {
    ModelShape model;
    std::uint32_t ranks = 1;
    std::uint32_t steps = 1;
    std::uint64_t seed = 1;
    RunConditions conditions;
    std::uint32_t firstStep = 5;  ///< Number of the first profiled step.
    TimeNs start;                 ///< The profiler starts, in the job's time; the first step a little later.
    std::vector<PlannedGroup> groups;
    std::vector<RankIdentity> identities;

    /// The start by the rank's own clock.
    TimeNs startOf(std::uint32_t rank) const { return identities[rank].clock.local(start); }
    std::uint64_t units() const { return std::uint64_t{steps} * model.microBatches; }
    /// Group slots that this run uses.
    std::uint32_t groupSlots() const { return model.pipelineParallel > 1 ? std::uint32_t{kMaxGroupSlots} : 2; }
    /// Ranks of each pipeline stage; stages follow each other in the order of the ranks.
    std::uint32_t ranksOfStage() const { return ranks / model.pipelineParallel; }
};

inline constexpr std::uint32_t kDevicesPerHost = 8;
/// Between the profiler's start and the first step, and between the last step and its end.
inline constexpr DurationNs kLeadIn{112'000'000};
inline constexpr DurationNs kLeadOut{48'000'000};

/// How large a run is. All are 1 at least.
struct RunSizes {
    std::uint32_t ranks = 1;
    std::uint32_t steps = 1;
    std::uint32_t layers = 1;
    std::uint32_t microBatches = 1;
};

/// True if so many ranks are split into two pipeline stages with experts, provided that the layers can be halved.
constexpr bool hasPipeline(std::uint32_t ranks, ModelKind model) {
    return model == ModelKind::Transformer && ranks >= 16 && ranks % 8 == 0;
}

/// Lays out the run. A residual network is data parallel alone. Of a transformer, from four ranks on, an even number of
/// them is split into pairs for tensor parallelism; the others are data parallel. With hasPipeline() and an even number
/// of layers there are two pipeline stages, and in each of them the data parallel ranks share the experts of every
/// second layer, four by four or in pairs. Ranks fill hosts of eight devices; tensor parallel ranks are neighbours,
/// then come data parallel ones, then stages (the order of Megatron).
RunPlan planRun(const RunSizes& sizes, std::uint64_t seed, const RunConditions& conditions = {});

inline constexpr std::uint32_t kCoreMhz = 1800;
/// Frequency of the cores of all ranks in a step (from 0), which a planted drop lowers.
std::uint32_t commonMhz(const RunPlan& plan, std::uint64_t step);
/// That of one rank, which may be slower in some steps.
std::uint32_t coreMhz(const RunPlan& plan, std::uint32_t rank, std::uint64_t step);
/// `mhz` lowered by so many percent.
constexpr std::uint32_t loweredMhz(std::uint32_t mhz, std::uint64_t percent) {
    return mhz * (100 - static_cast<std::uint32_t>(percent)) / 100;
}

/// Whether a plant is a fail-slow of this part in a step (from 0).
bool isSlowIn(const RunPlan& plan, const Plant& plant, SlowPart part, std::uint64_t step);

/// Number of the plant that makes the link between two ranks slow.
std::optional<std::size_t> slowLinkPlant(const RunPlan& plan, std::uint32_t a, std::uint32_t b);
/// How many times slower the link between two ranks is in a step (from 0); 1: it is as the others.
std::uint32_t linkFactor(const RunPlan& plan, std::uint32_t a, std::uint32_t b, std::uint64_t step);

/// How many times slower the slowest link of a group is in a step, and the first of the plants that make it so.
struct SlowestLink {
    std::uint32_t factor = 1;
    std::optional<std::size_t> plant;
};
SlowestLink slowestLink(const RunPlan& plan, const PlannedGroup& group, std::uint64_t step);

/// Hash of a group's text id that communication files use for its name: two polynomial hashes modulo 2^32 side by side.
std::uint64_t groupHash(std::string_view name);

}  // namespace altiscope::generate
