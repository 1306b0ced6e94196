#include "core/analysis/support/saturating.h"
#include "core/analysis/support/straight_line.h"
#include "core/findings/rule_support.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope {

namespace {

using Usages = std::span<const MemoryUsage>;

/// As SQL has it as well; host memory has no number.
std::string memoryDeviceWord(std::int64_t device) { return device < 0 ? std::string("CPU") : std::to_string(device); }

/// For programs: the texts have it as people read it.
void addRecoverableBytes(Finding& finding, std::int64_t bytes) {
    addParameter(finding, "recoverable_bytes", std::to_string(bytes));
}

/// The innermost frames of a stack in one line: those of the program, which have a line of a source, if there are any.
std::string innerFrames(std::string_view stack) {
    constexpr std::size_t kFrames = 4;
    const auto isOfLibrary = [](std::string_view frame) {
        // Apart, since three such signs in one text would be a trigraph.
        return (frame.starts_with("??") && frame.substr(2).starts_with('(')) ||
               frame.find(".so(") != std::string_view::npos;
    };
    const auto join = [&](bool withLibraries) {
        std::string text;
        std::string_view rest = stack;
        for (std::size_t frames = 0; frames < kFrames && !rest.empty();) {
            const std::size_t end = std::min(rest.find('\n'), rest.size());
            const std::string_view frame = rest.substr(0, end);
            rest.remove_prefix(std::min(end + 1, rest.size()));
            if (!withLibraries && isOfLibrary(frame)) continue;
            text.append(text.empty() ? "" : " < ").append(frame);
            ++frames;
        }
        return text;
    };
    std::string text = join(false);
    return text.empty() ? join(true) : text;
}

/// Per what the growth of a stack is, and how that is known.
std::string_view growthNote(StepSource source) {
    switch (source) {
    case StepSource::Profile: return "finding.note.growth_profile";
    case StepSource::Annotations: return "finding.note.growth_annotations";
    case StepSource::Repetition: return "finding.note.growth_repetition";
    case StepSource::None: break;
    }
    return "finding.note.growth_entries";
}

/// "aten::clone (8.0 MiB), aten::add (2.0 MiB)"
std::string namesText(const std::vector<NamedBytes>& names) {
    std::string text;
    for (const NamedBytes& one : names)
        text += (text.empty() ? "" : ", ") + one.name + " (" + bytesText(one.bytes) + ')';
    return text;
}

/// Index of the rank with the most bytes; nullopt if none has any.
template <class Bytes>
std::optional<RankIndex> rankWithMost(Usages usage, Bytes bytes) {
    std::optional<RankIndex> worst;
    std::int64_t most = 0;
    for (RankIndex r; r.value < usage.size(); ++r.value) {
        const std::int64_t here = bytes(usage[r.value]);
        if (here <= most) continue;
        most = here;
        worst = r;
    }
    return worst;
}

/// Memory that a pool has reserved and never gave out.
struct UnusedReserve {
    std::int64_t bytes = 0, reserved = 0, allocated = 0;
    std::optional<std::int64_t> device, snapshotDevice, event;
};

/// @param step  Length of a step, ns: of samples that span less than half of one nobody knows the peak.
UnusedReserve unusedReserve(const MemoryUsage& rank, std::int64_t step) {
    UnusedReserve most;
    const auto take = [&most](UnusedReserve one) {
        if (one.allocated <= 0 || one.reserved <= one.allocated) return;
        one.bytes = one.reserved - one.allocated;
        if (one.bytes > most.bytes) most = one;
    };
    for (const PoolUse& pool : rank.pools)
        if (pool.span >= step / 2)
            take({0, pool.highestReserved, pool.highestAllocated, pool.device, std::nullopt, std::nullopt});
    for (const SnapshotUse& one : rank.snapshots) {
        // Memory may have been fuller before a history that begins late.
        if (one.olderBlocks == 0)
            take({0, one.highestReserved, one.highestAllocated, std::nullopt, one.device, one.highestReservedEvent});
    }
    return most;
}

/// A step that holds much more than the others, and gives it back.
struct StepSpike {
    std::int64_t bytes = 0, usual = 0;
    std::size_t step = 0;
};

StepSpike spikeOf(const PoolUse& pool, const MemoryLimits& limits) {
    // With two steps nobody knows which one is usual.
    constexpr std::size_t kFewestSteps = 3;
    const std::vector<std::int64_t>& peaks = pool.highestInSteps;
    if (peaks.size() < kFewestSteps || pool.atEnds.size() != peaks.size()) return {};
    StepSpike spike;
    spike.step = static_cast<std::size_t>(std::max_element(peaks.begin(), peaks.end()) - peaks.begin());
    std::vector<double> others;
    for (std::size_t i = 0; i < peaks.size(); ++i) {
        if (i != spike.step) others.push_back(static_cast<double>(peaks[i]));
    }
    const double usual = median(std::move(others)), more = static_cast<double>(peaks[spike.step]) - usual;
    spike.usual = saturatedRound(usual);
    // Memory that stays is growth, not a spike.
    const double stays = static_cast<double>(pool.atEnds[spike.step]) - static_cast<double>(pool.atBegin);
    if (stays < more / 2 && more > limits.spikeBytes && more > limits.spikeShare * usual)
        spike.bytes = saturatedRound(more);
    return spike;
}

/// Names who makes a growth that was found.
void nameKeepers(const RuleContext& context, Finding& finding) {
    if (finding.rank->value >= context.usage.size()) return;
    const std::vector<PoolUse>& pools = context.usage[finding.rank->value].pools;
    // The finding names one of several devices; the pool that keeps most is not distinguished from it here.
    if (pools.size() != 1 || pools.front().kept.empty()) return;
    addParameter(finding, "operators", namesText(pools.front().kept));
    addNote(finding, "finding.note.keepers");
}

/// Whether values grow in a line. A fall of a tenth of a step's growth may be a sample that lies beside the border.
bool growsInLine(const std::vector<std::int64_t>& values, double slope, double fit) {
    constexpr double kDip = 0.1;
    const bool falls = std::adjacent_find(values.begin(), values.end(), [slope](std::int64_t a, std::int64_t b) {
                           return static_cast<double>(b) - static_cast<double>(a) < -kDip * slope;
                       }) != values.end();
    return !falls && lineThrough(values).fit > fit;
}

/// How a pool grows from step to step.
struct PoolGrowth {
    std::int64_t perStep = 0;            ///< bytes; 0: it does not, or nobody knows.
    std::vector<std::int64_t> levels{};  ///< That show it: of each step, or of the borders of steps.
    std::size_t steps = 0;
};

PoolGrowth growthOf(const PoolFacts& pool, const FindingThresholds& thresholds) {
    const std::vector<std::int64_t>& borders = pool.allocatedAtBorders;
    if (borders.size() < 2) return {};
    // The state that an optimizer makes in its first step raises the lowest level of the next one, and no border after
    // that.
    if (robustSlope(borders) < thresholds.leakBytesPerStep) return {};
    const bool hasLevels = !pool.lowestInSteps.empty();
    const std::size_t steps = hasLevels ? pool.lowestInSteps.size() : borders.size() - 1;
    if (steps < 2) return {};
    // The lowest level of a step shows no tensor that happens to be there at a border.
    const std::initializer_list<const std::vector<std::int64_t>*> ofSteps{&pool.lowestInSteps, &pool.lowestFromBegins};
    const std::initializer_list<const std::vector<std::int64_t>*> ofBorders{&borders};
    for (const std::vector<std::int64_t>* levels : hasLevels ? ofSteps : ofBorders) {
        const double slope = robustSlope(*levels);
        // Two steps may grow by chance; what the first allocated and the second did not free must be as much.
        const bool isChance =
            steps == 2 && (pool.keptAllocations.empty() || static_cast<double>(pool.keptAllocations[0]) < slope / 2);
        if (slope >= thresholds.leakBytesPerStep && !isChance && growsInLine(*levels, slope, thresholds.leakFit))
            return {saturatedRound(std::floor(slope)), *levels, steps};
    }
    return {};
}

}  // namespace

void findMemoryLeak(RuleContext& context) {
    const auto grownPool = [&](const PoolFacts& pool) { return growthOf(pool, context.thresholds).perStep; };
    // Each device has memory of its own: the worst one of a rank.
    const auto worstPool = [&](const RankFacts& rank) {
        return std::max_element(rank.pools.begin(), rank.pools.end(),
                                [&](const PoolFacts& a, const PoolFacts& b) { return grownPool(a) < grownPool(b); });
    };
    const auto grown = [&](const RankFacts& rank) { return rank.pools.empty() ? 0 : grownPool(*worstPool(rank)); };
    const auto worst = worstRank(context.facts, grown);
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    const PoolFacts& pool = *worstPool(rank);
    Finding finding = rankFinding(context, "memory_leak", *worst, std::nullopt, {"leak_bytes_per_step", "leak_fit"});
    // It costs no time until the memory is full, and then the run.
    finding.severity = FindingSeverity::High;
    const PoolGrowth growth = growthOf(pool, context.thresholds);
    addParameter(finding, "growth", bytesText(growth.perStep));
    addParameter(finding, "margin", bytesText(saturatedRound(lineThrough(growth.levels).margin)));
    addParameter(finding, "growth_bytes", std::to_string(growth.perStep));
    addRecoverableBytes(finding,
                        saturatedRound(static_cast<double>(growth.perStep) * static_cast<double>(growth.steps)));
    addParameter(finding, "steps", std::to_string(growth.steps));
    nameDevice(finding, pool.device);
    addStepRanges(finding, rank, *worst);
    const auto [low, high] = std::minmax_element(growth.levels.begin(), growth.levels.end());
    finding.evidence.levels = {*low, *high};
    const std::string ofDevice = pool.device ? "device_id = " + std::to_string(*pool.device) : std::string();
    addRows(finding, "memory_sample", ofDevice);
    if (!pool.keptAllocations.empty()) addRows(finding, "allocation", ofDevice);
    nameKeepers(context, finding);
    context.findings.push_back(std::move(finding));
}

void findKeptStacks(RuleContext& context) {
    const auto grownStack = [&](const RankFacts& rank) -> const KeptStack* {
        // By bytes: the first one that grows evenly is the worst.
        const auto worst = std::find_if(rank.keptStacks.begin(), rank.keptStacks.end(), [&](const KeptStack& stack) {
            return static_cast<double>(stack.bytes) > context.thresholds.leakBytesPerStep &&
                   stack.fit > context.thresholds.leakFit;
        });
        return worst == rank.keptStacks.end() ? nullptr : &*worst;
    };
    const auto worst = worstRank(context.facts, [&](const RankFacts& rank) {
        const KeptStack* stack = grownStack(rank);
        return stack == nullptr ? 0 : stack->bytes;
    });
    if (!worst) return;
    const KeptStack& stack = *grownStack(context.facts.ranks[worst->value]);
    Finding finding = rankFinding(context, "kept_stack", *worst, std::nullopt, {"leak_bytes_per_step", "leak_fit"});
    // As memory_leak.
    finding.severity = FindingSeverity::High;
    addParameter(finding, "bytes", bytesText(stack.bytes));
    addParameter(finding, "block", bytesText(stack.blockBytes));
    addParameter(finding, "blocks", std::to_string(stack.blocks));
    addParameter(finding, "growth", bytesText(saturatedRound(stack.growth)));
    addParameter(finding, "margin", bytesText(saturatedRound(stack.margin)));
    addParameter(finding, "growth_bytes", std::to_string(saturatedRound(stack.growth)));
    addParameter(finding, "steps", std::to_string(stack.steps));
    if (stack.released > 0) {
        addParameter(finding, "released", std::to_string(stack.released));
        addNote(finding, "finding.note.stack_releases");
    }
    addNote(finding, growthNote(stack.source));
    addRecoverableBytes(finding, stack.bytes);
    addParameter(finding, "device", memoryDeviceWord(stack.device));
    addParameter(finding, "stack", innerFrames(stack.stack));
    addSnapshotRows(finding, "snapshot_block", stack.device,
                    "state = 'active_allocated' AND alloc_event IS NOT NULL AND stack = " + sqlLiteral(stack.stack))
        .stack = stack.stack;
    context.findings.push_back(std::move(finding));
}

void findOutOfMemory(RuleContext& context) {
    const auto worst = worstRank(context.facts, [](const RankFacts& rank) {
        return rank.outOfMemory ? std::max<std::int64_t>(rank.outOfMemory->requested, 1) : 0;
    });
    if (!worst) return;
    const OutOfMemory& failed = *context.facts.ranks[worst->value].outOfMemory;
    Finding finding = rankFinding(context, "out_of_memory", *worst, std::nullopt, {});
    finding.severity = FindingSeverity::High;
    addRecoverableBytes(finding, failed.holeBytes);
    addParameter(finding, "device", memoryDeviceWord(failed.device));
    addParameter(finding, "requested", bytesText(failed.requested));
    addParameter(finding, "allocated", bytesText(failed.allocated));
    addParameter(finding, "reserved", bytesText(failed.reserved));
    addParameter(finding, "holes", std::to_string(failed.holes));
    addParameter(finding, "hole_bytes", bytesText(failed.holeBytes));
    addParameter(finding, "largest_hole", bytesText(failed.largestHole));
    if (failed.deviceFree) {
        addParameter(finding, "device_free", bytesText(*failed.deviceFree));
        addNote(finding, "finding.note.device_free");
    }
    if (!failed.stack.empty()) {
        addParameter(finding, "stack", innerFrames(failed.stack));
        addParameter(finding, "stack_bytes", bytesText(failed.stackBytes));
        addNote(finding, "finding.note.most_of_memory");
    }
    if (failed.isFragmented) addNote(finding, "finding.note.fragmented");
    const std::string event = std::to_string(failed.event);
    addSnapshotRows(finding, "snapshot_event", failed.device, "event_id = " + event).event = failed.event;
    addSnapshotRows(finding, "snapshot_block", failed.device,
                    "(alloc_event IS NULL OR alloc_event < " + event + ") AND (state <> 'freed' OR free_event > " +
                        event + ")")
        .event = failed.event;
    context.findings.push_back(std::move(finding));
}

void findFragmentation(RuleContext& context) {
    const Usages usage = context.usage;
    const MemoryLimits& limits = context.limits;
    const auto unused = [&](const MemoryUsage& rank) {
        const auto place = static_cast<std::size_t>(&rank - usage.data());
        return unusedReserve(rank, meanStep(context.facts.ranks[place]));
    };
    const auto worst = rankWithMost(usage, [&](const MemoryUsage& rank) -> std::int64_t {
        const UnusedReserve most = unused(rank);
        const auto bytes = static_cast<double>(most.bytes);
        const bool isMuch =
            bytes > limits.fragmentationBytes && bytes > limits.fragmentationShare * static_cast<double>(most.reserved);
        return isMuch ? most.bytes : 0;
    });
    if (!worst) return;
    const UnusedReserve most = unused(usage[worst->value]);
    Finding finding = rankFinding(context, "fragmentation", *worst, std::nullopt, {});
    // No time until the memory is full; then it is what was missing.
    finding.severity = FindingSeverity::Medium;
    addParameter(finding, "reserved", bytesText(most.reserved));
    addParameter(finding, "allocated", bytesText(most.allocated));
    addParameter(finding, "unused", bytesText(most.bytes));
    addParameter(finding, "unused_share",
                 shareText(static_cast<double>(most.bytes) / static_cast<double>(most.reserved)));
    addRecoverableBytes(finding, most.bytes);
    if (most.snapshotDevice) {
        addParameter(finding, "device", memoryDeviceWord(*most.snapshotDevice));
        addSnapshotRows(finding, "snapshot_event", *most.snapshotDevice, "event_id = " + std::to_string(*most.event))
            .event = most.event;
    } else {
        nameDevice(finding, most.device);
        addRows(finding, "memory_sample", "reserved >= " + std::to_string(most.reserved));
    }
    context.findings.push_back(std::move(finding));
}

void findMemorySpike(RuleContext& context) {
    const Usages usage = context.usage;
    const MemoryLimits& limits = context.limits;
    const auto worstPool = [&limits](const MemoryUsage& rank) {
        return std::max_element(rank.pools.begin(), rank.pools.end(), [&](const PoolUse& a, const PoolUse& b) {
            return spikeOf(a, limits).bytes < spikeOf(b, limits).bytes;
        });
    };
    const auto worst = rankWithMost(usage, [&](const MemoryUsage& rank) {
        return rank.pools.empty() ? 0 : spikeOf(*worstPool(rank), limits).bytes;
    });
    if (!worst) return;
    const PoolUse& pool = *worstPool(usage[worst->value]);
    const StepSpike spike = spikeOf(pool, limits);
    const StepFacts& step = context.facts.ranks[worst->value].steps[spike.step];
    Finding finding = rankFinding(context, "memory_spike", *worst, std::nullopt, {});
    finding.severity = FindingSeverity::Low;
    finding.step = step.step;
    finding.range = step.range;
    addParameter(finding, "step", std::to_string(step.step.value_or(static_cast<std::int64_t>(spike.step) + 1)));
    addParameter(finding, "peak", bytesText(pool.highestInSteps[spike.step]));
    addParameter(finding, "usual", bytesText(spike.usual));
    addParameter(finding, "more", bytesText(spike.bytes));
    addRecoverableBytes(finding, spike.bytes);
    nameDevice(finding, pool.device);
    if (!pool.atHighest.empty()) {
        addParameter(finding, "operators", namesText(pool.atHighest));
        addNote(finding, "finding.note.at_spike");
    }
    finding.evidence.ranges.push_back({*worst, step.range});
    addRows(finding, "memory_sample", "allocated >= " + std::to_string(pool.highestInSteps[spike.step]));
    context.findings.push_back(std::move(finding));
}

void findUnusedAllocations(RuleContext& context) {
    const Usages usage = context.usage;
    const auto bytesOf = [](const MemoryUsage& rank) {
        return saturatedSum(saturatedSum(rank.unused.lateBytes, rank.unused.earlyBytes), rank.unused.idleBytes);
    };
    const auto worst = rankWithMost(usage, bytesOf);
    if (!worst) return;
    const UnusedAllocations& unused = usage[worst->value].unused;
    Finding finding = rankFinding(context, "unused_allocation", *worst, std::nullopt, {});
    finding.severity = FindingSeverity::Low;
    addParameter(finding, "blocks", std::to_string(unused.count()));
    addParameter(finding, "bytes", bytesText(bytesOf(usage[worst->value])));
    addParameter(finding, "after", std::to_string(unused.late));
    addParameter(finding, "after_bytes", bytesText(unused.lateBytes));
    addParameter(finding, "early", std::to_string(unused.early));
    addParameter(finding, "early_bytes", bytesText(unused.earlyBytes));
    addParameter(finding, "idle", std::to_string(unused.idle));
    addParameter(finding, "idle_bytes", bytesText(unused.idleBytes));
    addParameter(finding, "name", unused.name);
    addParameter(finding, "name_bytes", bytesText(unused.bytes));
    addRecoverableBytes(finding, bytesOf(usage[worst->value]));
    const std::string longest = "max(coalesce(first_use, 0), coalesce(longest_idle, 0), coalesce(unused_end, 0))";
    addRows(finding, "allocation",
            "size >= " + std::to_string(kMinUnusedBytes) + " AND " + longest + " >= " + std::to_string(kMinUnusedNs) +
                " AND " + longest + " > 0.5 * (release_ts - alloc_ts)");
    context.findings.push_back(std::move(finding));
}

void findCutHistory(RuleContext& context) {
    const Usages usage = context.usage;
    const MemoryLimits& limits = context.limits;
    const auto cutDevice = [&limits](const MemoryUsage& rank) -> const SnapshotUse* {
        const SnapshotUse* most = nullptr;
        for (const SnapshotUse& one : rank.snapshots) {
            const bool isMuch =
                static_cast<double>(one.olderBytes) > limits.unknownShare * static_cast<double>(one.allocatedBytes);
            // Without any history nothing was cut.
            if (one.entries > 0 && isMuch && (most == nullptr || one.olderBytes > most->olderBytes)) most = &one;
        }
        return most;
    };
    const auto worst = rankWithMost(usage, [&](const MemoryUsage& rank) -> std::int64_t {
        const SnapshotUse* cut = cutDevice(rank);
        return cut == nullptr ? 0 : cut->olderBytes;
    });
    if (!worst) return;
    const SnapshotUse& cut = *cutDevice(usage[worst->value]);
    Finding finding = rankFinding(context, "cut_history", *worst, std::nullopt, {});
    finding.severity = FindingSeverity::Low;
    addParameter(finding, "device", memoryDeviceWord(cut.device));
    addParameter(finding, "entries", std::to_string(cut.entries));
    addParameter(finding, "blocks", std::to_string(cut.olderBlocks));
    addParameter(finding, "bytes", bytesText(cut.olderBytes));
    addParameter(finding, "bytes_share",
                 shareText(static_cast<double>(cut.olderBytes) / static_cast<double>(cut.allocatedBytes)));
    // It hides where memory is, and costs none.
    addRecoverableBytes(finding, 0);
    // People choose round limits; a history that was cut at one is as long.
    constexpr std::int64_t kRound = 1000;
    if (cut.entries % kRound == 0) addNote(finding, "finding.note.max_entries");
    addSnapshotRows(finding, "snapshot_block", cut.device, "state = 'active_allocated' AND alloc_event IS NULL");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
