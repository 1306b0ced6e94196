#include "core/generate/model/run_plan.h"

#include "core/generate/model/stage_emitter.h"
#include "core/generate/support/noise.h"

#include <algorithm>
#include <array>

namespace altiscope::generate {

namespace {

/// An uneven warm-up lasts 0, 1 or 2 steps.
constexpr std::uint32_t kWarmups = 3;

/// 2025-01-09 07:48:03 UTC; every seed gets another second after it.
constexpr std::int64_t kEpochNs = 1'736'408'883'000'000'000;

/// The first rank's clock is the job's.
SimulatedClock clockOf(const RunPlan& plan, std::uint32_t rank) {
    SimulatedClock clock;
    clock.origin = plan.start;
    if (rank == 0) return clock;
    constexpr std::uint64_t kClockDomain = 2;
    Noise noise(mixedKey({plan.seed, kClockDomain, rank}));
    const auto within = [&noise](std::uint64_t most) {
        return static_cast<std::int64_t>(noise.next() % (2 * most + 1)) - static_cast<std::int64_t>(most);
    };
    // Host times are multiples of 10 ns.
    clock.offset = DurationNs{within(plan.conditions.clockOffsetUs * 100) * 10};
    clock.driftPpb = within(plan.conditions.clockDriftPpm * 1000);
    return clock;
}

/// Direct partners of a member: everybody on its host, and across hosts the one at the same place on the next host
/// around the ring (its last one if it has fewer).
std::vector<std::uint32_t> peersOf(const std::vector<std::uint32_t>& members, std::uint32_t local) {
    std::vector<std::uint32_t> peers;
    const auto host = [&](std::uint32_t index) { return members[index] / kDevicesPerHost; };
    const auto count = static_cast<std::uint32_t>(members.size());
    // Members of a host stand together, since they are in the order of the ranks.
    std::uint32_t first = local;
    while (first > 0 && host(first - 1) == host(local)) --first;
    std::uint32_t end = local + 1;
    while (end < count && host(end) == host(local)) ++end;
    for (std::uint32_t step = 1; step < end - first; ++step)
        peers.push_back(first + (local - first + step) % (end - first));
    if (end - first == count) return peers;
    const std::uint32_t next = end % count;
    std::uint32_t partner = next;
    while (partner - next < local - first && partner + 1 < count && host(partner + 1) == host(next)) ++partner;
    peers.push_back(partner);
    return peers;
}

std::string_view parallelTypeOf(std::uint32_t slot) {
    static constexpr std::array<std::string_view, kMaxGroupSlots> kTypes{"dp", "tp", "pp", "ep", "dp_modulo_ep"};
    return kTypes[slot];
}

void addGroup(RunPlan& plan, std::uint32_t slot, std::vector<std::uint32_t> members) {
    PlannedGroup group;
    group.slot = slot;
    group.parallelType = std::string(parallelTypeOf(slot));
    group.name = "192.168.0.1%eth0_60000_" + std::to_string(plan.groups.size()) + "_" +
                 std::to_string((plan.start.value / 1000) - 41'000'000);
    group.hash = groupHash(group.name);
    group.members = std::move(members);
    const auto index = static_cast<std::uint32_t>(plan.groups.size());
    for (std::uint32_t local = 0; local < group.members.size(); ++local) {
        plan.identities[group.members[local]].memberships[slot] =
            Membership{index, local, peersOf(group.members, local)};
    }
    for (const std::uint32_t member : group.members) {
        for (const std::uint32_t peer : plan.identities[member].memberships[slot]->peers) {
            const std::optional<std::size_t> plant = slowLinkPlant(plan, member, group.members[peer]);
            if (!plant) continue;
            const auto factor = static_cast<std::uint32_t>(plan.conditions.plants[*plant].amount);
            if (factor > group.slowFactor || (factor == group.slowFactor && *plant < group.slowPlant))
                group.slowPlant = plant;
            group.slowFactor = std::max(group.slowFactor, factor);
        }
    }
    plan.groups.push_back(std::move(group));
}

/// `count` ranks from the first one on, each `stride` after the one before.
std::vector<std::uint32_t> everyNth(std::uint32_t first, std::uint32_t count, std::uint32_t stride) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t i = 0; i < count; ++i) members.push_back(first + i * stride);
    return members;
}

void addGroups(RunPlan& plan) {
    const ModelShape& model = plan.model;
    const std::uint32_t tp = model.tensorParallel;
    const std::uint32_t ep = model.expertParallel;
    const std::uint32_t inStage = plan.ranksOfStage();
    for (std::uint32_t stage = 0; stage < model.pipelineParallel && model.dataParallel > 1; ++stage) {
        for (std::uint32_t first = 0; first < tp; ++first)
            addGroup(plan, kDataParallelSlot, everyNth(stage * inStage + first, model.dataParallel, tp));
    }
    for (std::uint32_t first = 0; tp > 1 && first < plan.ranks; first += tp)
        addGroup(plan, kTensorParallelSlot, everyNth(first, tp, 1));
    for (std::uint32_t first = 0; model.pipelineParallel > 1 && first < inStage; ++first)
        addGroup(plan, kPipelineSlot, everyNth(first, model.pipelineParallel, inStage));
    // Members of an expert group are neighbours among the data parallel ranks.
    for (std::uint32_t block = 0; ep > 1 && block < plan.ranks; block += ep * tp) {
        for (std::uint32_t first = 0; first < tp; ++first) addGroup(plan, kExpertSlot, everyNth(block + first, ep, tp));
    }
    for (std::uint32_t stage = 0; stage < model.pipelineParallel && model.expertDataParallel > 1; ++stage) {
        for (std::uint32_t first = 0; first < ep * tp; ++first)
            addGroup(plan, kExpertDataSlot, everyNth(stage * inStage + first, model.expertDataParallel, ep * tp));
    }
}

}  // namespace

std::optional<std::size_t> slowLinkPlant(const RunPlan& plan, std::uint32_t a, std::uint32_t b) {
    const std::vector<Plant>& plants = plan.conditions.plants;
    for (std::size_t i = 0; i < plants.size(); ++i) {
        const bool isLink = plants[i].rank == std::min(a, b) && plants[i].peer == std::max(a, b);
        if (plants[i].kind == FaultKind::SlowLink && isLink) return i;
    }
    return std::nullopt;
}

std::uint32_t linkFactor(const RunPlan& plan, std::uint32_t a, std::uint32_t b, std::uint64_t step) {
    const std::optional<std::size_t> always = slowLinkPlant(plan, a, b);
    auto factor = always ? static_cast<std::uint32_t>(plan.conditions.plants[*always].amount) : 1U;
    for (const Plant& plant : plan.conditions.plants) {
        const bool isMeant = isSlowIn(plan, plant, SlowPart::Link, step) && (plant.rank == a || plant.rank == b);
        if (isMeant) factor = std::max(factor, static_cast<std::uint32_t>(plant.amount));
    }
    return factor;
}

SlowestLink slowestLink(const RunPlan& plan, const PlannedGroup& group, std::uint64_t step) {
    SlowestLink slowest{group.slowFactor, group.slowPlant};
    for (std::size_t i = 0; i < plan.conditions.plants.size(); ++i) {
        const Plant& plant = plan.conditions.plants[i];
        if (!isSlowIn(plan, plant, SlowPart::Link, step) || plant.amount <= slowest.factor) continue;
        if (std::find(group.members.begin(), group.members.end(), plant.rank) == group.members.end()) continue;
        slowest = {static_cast<std::uint32_t>(plant.amount), i};
    }
    return slowest;
}

bool isSlowIn(const RunPlan& plan, const Plant& plant, SlowPart part, std::uint64_t step) {
    const std::uint64_t number = plan.firstStep + step;
    return plant.kind == FaultKind::FailSlow && plant.part == part && plant.firstStep <= number &&
           number <= plant.lastStep;
}

std::uint32_t commonMhz(const RunPlan& plan, std::uint64_t step) {
    std::uint32_t mhz = kCoreMhz;
    for (const Plant& plant : plan.conditions.plants) {
        if (plant.kind == FaultKind::FrequencyDrop && step >= plan.steps / 2) mhz = loweredMhz(mhz, plant.amount);
    }
    return mhz;
}

std::uint32_t coreMhz(const RunPlan& plan, std::uint32_t rank, std::uint64_t step) {
    std::uint32_t mhz = commonMhz(plan, step);
    for (const Plant& plant : plan.conditions.plants) {
        if (plant.rank == rank && isSlowIn(plan, plant, SlowPart::Clock, step)) mhz = loweredMhz(mhz, plant.amount);
    }
    return mhz;
}

std::uint64_t groupHash(std::string_view name) {
    std::uint32_t high = 0;
    std::uint32_t low = 0;
    for (const char c : name) {
        const auto code = static_cast<unsigned char>(c);
        high = high * 29 + code;
        low = low * 131 + code;
    }
    return (std::uint64_t{high} << 32) | low;
}

RunPlan planRun(const RunSizes& sizes, std::uint64_t seed, const RunConditions& conditions) {
    RunPlan plan;
    plan.conditions = conditions;
    plan.ranks = sizes.ranks;
    plan.steps = sizes.steps;
    plan.seed = seed;
    plan.model.layers = sizes.layers;
    plan.model.microBatches = sizes.microBatches;
    plan.model.batchesOfUnit = conditions.microBatches;
    plan.model.kind = conditions.model;
    const bool isTransformer = conditions.model == ModelKind::Transformer;
    plan.model.tensorParallel = isTransformer && sizes.ranks >= 4 && sizes.ranks % 2 == 0 ? 2 : 1;
    if (hasPipeline(sizes.ranks, conditions.model) && sizes.layers % 2 == 0) plan.model.pipelineParallel = 2;
    plan.model.dataParallel = plan.ranksOfStage() / plan.model.tensorParallel;
    if (plan.model.pipelineParallel > 1) {
        plan.model.expertParallel = plan.model.dataParallel % 4 == 0 ? 4 : 2;
        plan.model.expertDataParallel = plan.model.dataParallel / plan.model.expertParallel;
    }

    Noise noise(mixedKey({seed, 1}));
    plan.start = TimeNs{kEpochNs + std::int64_t{noise.below(86'400)} * 1'000'000'000 + 573'887'920};
    const std::uint32_t firstPid = 3'000'000 + noise.below(90'000);
    for (std::uint32_t rank = 0; rank < sizes.ranks; ++rank) {
        RankIdentity identity;
        identity.rank = rank;
        identity.device = rank % kDevicesPerHost;
        identity.stage = rank / plan.ranksOfStage();
        identity.hostPid = firstPid + identity.device * 2 + (rank / kDevicesPerHost) * 64;
        identity.queueTid = identity.hostPid + 3'198 + identity.device * 330;
        identity.cleanupTid = identity.queueTid + 1;
        identity.autogradTid = identity.hostPid + 8'571 + identity.device * 33;
        identity.memberships.resize(kMaxGroupSlots);
        identity.clock = clockOf(plan, rank);
        if (conditions.unevenWarmup) identity.warmupSteps = (rank + 1) % kWarmups;
        identity.recordsGarbageCollection =
            std::any_of(conditions.plants.begin(), conditions.plants.end(),
                        [](const Plant& plant) { return plant.kind == FaultKind::GcPause; });
        plan.identities.push_back(std::move(identity));
    }
    addGroups(plan);
    return plan;
}

}  // namespace altiscope::generate
