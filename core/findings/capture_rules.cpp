#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"
#include "core/analysis/support/straight_line.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

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

/// As SQL has it as well; host memory has no number.
std::string deviceText(std::int64_t device) { return device < 0 ? std::string("CPU") : std::to_string(device); }

/// For programs: the texts have it as people read it.
void addRecoverable(Finding& finding, std::int64_t bytes) {
    addParameter(finding, "recoverable_bytes", std::to_string(bytes));
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

}  // namespace

void findMemoryLeak(RuleContext& context) {
    const auto grownPool = [&](const PoolFacts& pool) {
        const std::vector<std::int64_t>& borders = pool.allocatedAtBorders;
        if (borders.size() < 3 || !std::is_sorted(borders.begin(), borders.end())) return std::int64_t{0};
        const StraightLine line = lineThrough(borders);
        // Two steps may grow by chance; what the first allocated and the second did not free must be as much.
        const bool isFew = borders.size() == 3;
        if (isFew && (pool.keptAllocations.empty() || static_cast<double>(pool.keptAllocations[0]) < line.slope / 2))
            return std::int64_t{0};
        const bool leaks = line.slope > context.thresholds.leakBytesPerStep && line.fit > context.thresholds.leakFit;
        return leaks ? saturatedRound(std::floor(line.slope)) : 0;
    };
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
    const std::int64_t growth = grownPool(pool), steps = static_cast<std::int64_t>(pool.allocatedAtBorders.size()) - 1;
    addParameter(finding, "growth", bytesText(growth));
    addParameter(finding, "margin", bytesText(saturatedRound(lineThrough(pool.allocatedAtBorders).margin)));
    addParameter(finding, "growth_bytes", std::to_string(growth));
    addRecoverable(finding, saturatedRound(static_cast<double>(growth) * static_cast<double>(steps)));
    addParameter(finding, "steps", std::to_string(steps));
    nameDevice(finding, pool.device);
    addStepRanges(finding, rank, *worst);
    const std::string ofDevice = pool.device ? "device_id = " + std::to_string(*pool.device) : std::string();
    addRows(finding, "memory_sample", ofDevice);
    if (!pool.keptAllocations.empty()) addRows(finding, "allocation", ofDevice);
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
    addRecoverable(finding, stack.bytes);
    addParameter(finding, "device", deviceText(stack.device));
    addParameter(finding, "stack", innerFrames(stack.stack));
    addDeviceRows(finding, "snapshot_block", stack.device,
                  "state = 'active_allocated' AND alloc_event IS NOT NULL AND stack = " + sqlLiteral(stack.stack));
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
    addRecoverable(finding, failed.holeBytes);
    addParameter(finding, "device", deviceText(failed.device));
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
    addDeviceRows(finding, "snapshot_event", failed.device, "event_id = " + event);
    addDeviceRows(finding, "snapshot_block", failed.device,
                  "(alloc_event IS NULL OR alloc_event < " + event + ") AND (state <> 'freed' OR free_event > " +
                      event + ")");
    context.findings.push_back(std::move(finding));
}

void findMissingData(RuleContext& context) {
    std::map<std::string, std::string> switches;  // by what is missing
    std::size_t ranks = 0;
    for (const RankFacts& rank : context.facts.ranks) {
        ranks += rank.missing.empty() ? 0 : 1;
        for (const auto& [what, name] : rank.missing) switches.emplace(what, name);
    }
    if (switches.empty()) return;
    const auto listOf = [&](auto wordOf) {
        std::string list;
        for (const auto& entry : switches) {
            const std::string& word = wordOf(entry);
            if (!word.empty() && (", " + list + ",").find(", " + word + ",") == std::string::npos)
                list += (list.empty() ? "" : ", ") + word;
        }
        return list;
    };
    // One line: what is not recorded is no fault.
    Finding finding;
    finding.rule = "missing_data";
    addParameter(finding, "what", listOf([](const auto& entry) -> const std::string& { return entry.first; }));
    addParameter(finding, "switch", listOf([](const auto& entry) -> const std::string& { return entry.second; }));
    addParameter(finding, "ranks", std::to_string(ranks));
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
