#include "core/findings/rule_support.h"

#include "core/analysis/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace altiscope {

namespace {

std::string decimal(double value) {
    std::array<char, 64> text{};
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

}  // namespace

std::int64_t meanStep(const RankFacts& rank) {
    std::int64_t sum = 0, steps = 0;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() <= 0) continue;
        addSaturated(sum, step.endToEnd());
        ++steps;
    }
    return steps == 0 ? 0 : sum / steps;
}

std::int64_t meanOfSteps(const RankFacts& rank, std::int64_t StepFacts::* part) {
    std::int64_t sum = 0, steps = 0;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() <= 0) continue;
        addSaturated(sum, step.*part);
        ++steps;
    }
    return steps == 0 ? 0 : sum / steps;
}

double median(std::vector<double> values) {
    const auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    if (values.size() % 2 == 1) return *middle;
    return (*middle + *std::max_element(values.begin(), middle)) / 2;
}

std::int64_t perStep(const StepLosses& losses) {
    double sum = 0;
    std::size_t affected = 0;
    for (const auto& [step, ns] : losses) {
        sum += ns;
        affected += ns > 0 ? 1 : 0;
    }
    return affected == 0 ? 0 : saturatedRound(sum / static_cast<double>(affected));
}

double usualBandwidth(const FindingThresholds& thresholds, std::string_view transport) {
    return transport == "RDMA" ? thresholds.networkBandwidth : thresholds.fastLinkBandwidth;
}

std::string timeText(std::int64_t ns) {
    const double value = static_cast<double>(ns);
    if (std::abs(value) >= 1e9) return decimal(value / 1e9) + " s";
    if (std::abs(value) >= 1e6) return decimal(value / 1e6) + " ms";
    return decimal(value / 1e3) + " us";
}

std::string shareText(double share) { return decimal(share * 100) + " %"; }

std::string bytesText(std::int64_t bytes) { return decimal(static_cast<double>(bytes) / 1048576) + " MB"; }

Finding rankFinding(const RuleContext& context, std::string_view rule, std::size_t rank, std::optional<std::int64_t> recoverable,
                    std::initializer_list<std::string_view> thresholds) {
    const RankFacts& facts = context.facts.ranks[rank];
    Finding finding;
    finding.rule = rule;
    finding.rank = static_cast<std::uint32_t>(rank);
    finding.rankId = facts.rankId;
    finding.recoverable = recoverable;
    const std::int64_t step = meanStep(facts);
    const double share = step > 0 && recoverable ? static_cast<double>(*recoverable) / static_cast<double>(step) : 0;
    if (share >= context.thresholds.highShare) finding.severity = FindingSeverity::High;
    else if (share >= context.thresholds.mediumShare) finding.severity = FindingSeverity::Medium;
    const bool hasPath = !facts.path.empty() && facts.path != ".";
    addParameter(finding, "rank", facts.rankId ? std::to_string(*facts.rankId) : hasPath ? facts.path : "N/A");
    if (recoverable) {
        addParameter(finding, "recoverable", timeText(*recoverable));
        addParameter(finding, "share", shareText(share));
    }
    for (const ThresholdInfo& info : thresholdInfos()) {
        const bool decides = std::find(thresholds.begin(), thresholds.end(), info.name) != thresholds.end();
        const bool rates = recoverable && (info.name == "high_share" || info.name == "medium_share");
        if (decides || rates) finding.thresholds.emplace_back(info.name, context.thresholds.*info.value);
    }
    return finding;
}

void addParameter(Finding& finding, std::string_view name, std::string value) {
    finding.parameters.emplace_back(std::string(name), std::move(value));
}

void addSlices(Finding& finding, const Occurrences& occurrences) {
    for (const FactSlice& slice : occurrences.longest) {
        if (!finding.range) finding.range = slice.range;
        finding.evidence.slices.push_back({finding.rank.value_or(0), slice});
    }
}

void addStepRanges(Finding& finding, const RankFacts& rank, std::size_t place) {
    if (!rank.hasEvents) return;
    std::vector<const StepFacts*> steps;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() > 0) steps.push_back(&step);
    }
    constexpr std::size_t kMost = 20;
    if (steps.size() > kMost) {
        std::nth_element(steps.begin(), steps.begin() + kMost, steps.end(), [](const StepFacts* a, const StepFacts* b) { return a->endToEnd() > b->endToEnd(); });
        steps.resize(kMost);
        std::sort(steps.begin(), steps.end(), [](const StepFacts* a, const StepFacts* b) { return a->range.begin < b->range.begin; });
    }
    for (const StepFacts* step : steps) finding.evidence.ranges.push_back({static_cast<std::uint32_t>(place), step->range});
    if (!steps.empty()) finding.range = steps.front()->range;
}

void addRows(Finding& finding, std::string_view table, std::string_view condition) {
    std::string where = finding.rankId ? "rank_id = " + std::to_string(*finding.rankId) : std::string("rank_id IS NULL");
    if (!condition.empty()) where += " AND " + std::string(condition);
    finding.evidence.rows.push_back({std::string(table), std::move(where)});
}

std::int64_t costOn(const RuleContext& context, std::size_t rank, std::initializer_list<std::string_view> rules) {
    std::int64_t sum = 0;
    for (const std::string_view rule : rules) {
        if (const auto costs = context.costs.find(rule); costs != context.costs.end()) addSaturated(sum, costs->second[rank]);
    }
    return sum;
}

std::int64_t costOnOthers(const RuleContext& context, std::size_t rank, std::initializer_list<std::string_view> rules) {
    std::int64_t sum = 0;
    for (const std::string_view rule : rules) {
        const auto costs = context.costs.find(rule);
        if (costs == context.costs.end()) continue;
        std::int64_t most = 0;
        for (std::size_t other = 0; other < costs->second.size(); ++other) {
            const bool waits = context.facts.ranks[other].recording == context.facts.ranks[rank].recording;
            if (other != rank && waits) most = std::max(most, costs->second[other]);
        }
        addSaturated(sum, most);
    }
    return sum;
}

}  // namespace altiscope
