#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>

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
