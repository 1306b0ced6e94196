#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <string_view>

namespace altiscope {

namespace {

/// A straight line through values at 0, 1, 2 ...
struct Line {
    double slope = 0;
    double fit = 0;  ///< R^2
};

Line lineThrough(const std::vector<std::int64_t>& values) {
    const auto n = static_cast<double>(values.size());
    double meanX = (n - 1) / 2, meanY = 0;
    for (const std::int64_t value : values) meanY += static_cast<double>(value) / n;
    double xx = 0, xy = 0, yy = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double x = static_cast<double>(i) - meanX, y = static_cast<double>(values[i]) - meanY;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if (xx <= 0 || yy <= 0) return {};
    return {xy / xx, xy * xy / (xx * yy)};
}

/// The innermost frames of a stack in one line.
std::string innerFrames(std::string_view stack) {
    constexpr std::size_t kFrames = 4;
    std::string text;
    for (std::size_t frame = 0; frame < kFrames && !stack.empty(); ++frame) {
        const std::size_t end = std::min(stack.find('\n'), stack.size());
        text.append(text.empty() ? "" : " < ").append(stack.substr(0, end));
        stack.remove_prefix(std::min(end + 1, stack.size()));
    }
    return text;
}

}  // namespace

void findMemoryLeak(RuleContext& context) {
    const auto grownPool = [&](const PoolFacts& pool) {
        const std::vector<std::int64_t>& borders = pool.allocatedAtBorders;
        if (borders.size() < 3 || !std::is_sorted(borders.begin(), borders.end())) return std::int64_t{0};
        const Line line = lineThrough(borders);
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
    const RankFacts& rank = context.facts.ranks[*worst];
    const PoolFacts& pool = *worstPool(rank);
    Finding finding = rankFinding(context, "memory_leak", *worst, std::nullopt, {"leak_bytes_per_step", "leak_fit"});
    // It costs no time until the memory is full, and then the run.
    finding.severity = FindingSeverity::High;
    addParameter(finding, "growth", bytesText(grownPool(pool)));
    addParameter(finding, "steps", std::to_string(pool.allocatedAtBorders.size() - 1));
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
    const KeptStack& stack = *grownStack(context.facts.ranks[*worst]);
    Finding finding = rankFinding(context, "kept_stack", *worst, std::nullopt, {"leak_bytes_per_step", "leak_fit"});
    // As memory_leak.
    finding.severity = FindingSeverity::High;
    addParameter(finding, "bytes", bytesText(stack.bytes));
    addParameter(finding, "block", bytesText(stack.blockBytes));
    addParameter(finding, "blocks", std::to_string(stack.blocks));
    addParameter(finding, "device", std::to_string(stack.device));
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
    const OutOfMemory& failed = *context.facts.ranks[*worst].outOfMemory;
    Finding finding = rankFinding(context, "out_of_memory", *worst, std::nullopt, {});
    finding.severity = FindingSeverity::High;
    addParameter(finding, "device", std::to_string(failed.device));
    addParameter(finding, "requested", bytesText(failed.requested));
    addParameter(finding, "allocated", bytesText(failed.allocated));
    addParameter(finding, "reserved", bytesText(failed.reserved));
    addParameter(finding, "holes", std::to_string(failed.holes));
    addParameter(finding, "hole_bytes", bytesText(failed.holeBytes));
    addParameter(finding, "largest_hole", bytesText(failed.largestHole));
    if (!failed.stack.empty()) {
        addParameter(finding, "stack", innerFrames(failed.stack));
        addParameter(finding, "stack_bytes", bytesText(failed.stackBytes));
        addNote(finding, "finding.note.most_of_memory");
    }
    if (failed.holeBytes >= failed.requested && failed.largestHole < failed.requested)
        addNote(finding, "finding.note.fragmented");
    addDeviceRows(finding, "snapshot_event", failed.device, "event_id = " + std::to_string(failed.event));
    addDeviceRows(finding, "snapshot_block", failed.device, "state <> 'freed'");
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
