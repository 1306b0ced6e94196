#include "core/findings/rule_support.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace altiscope {

namespace {

/// Mean of a part over the steps in which something shows.
std::int64_t meanWhere(const RankFacts& rank, std::int64_t StepFacts::*part, const std::vector<std::int64_t>& byStep) {
    std::int64_t sum = 0, steps = 0;
    for (std::size_t i = 0; i < std::min(byStep.size(), rank.steps.size()); ++i) {
        if (byStep[i] <= 0) continue;
        addSaturated(sum, rank.steps[i].*part);
        ++steps;
    }
    return steps == 0 ? 0 : sum / steps;
}

FindingSeverity severityOf(const FindingThresholds& thresholds, std::int64_t recoverable, std::int64_t step) {
    const double share = step > 0 ? static_cast<double>(recoverable) / static_cast<double>(step) : 0;
    if (share >= thresholds.highShare) return FindingSeverity::High;
    return share >= thresholds.mediumShare ? FindingSeverity::Medium : FindingSeverity::Low;
}

}  // namespace

FindingSeverity severityOf(const RuleContext& context, RankIndex rank, std::int64_t recoverable) {
    return severityOf(context.thresholds, recoverable, meanStep(context.facts.ranks[rank.value]));
}

bool isSeen(const RuleContext& context, const RankFacts& rank, std::int64_t recoverable) {
    return static_cast<double>(recoverable) >=
           context.thresholds.kernelSavingShare * static_cast<double>(meanStep(rank));
}

std::int64_t meanStep(const RankFacts& rank) {
    std::int64_t sum = 0, steps = 0;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() <= 0) continue;
        addSaturated(sum, step.endToEnd());
        ++steps;
    }
    return steps == 0 ? 0 : sum / steps;
}

std::int64_t meanOfSteps(const RankFacts& rank, std::int64_t StepFacts::*part) {
    std::int64_t sum = 0, steps = 0;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() <= 0) continue;
        addSaturated(sum, step.*part);
        ++steps;
    }
    return steps == 0 ? 0 : sum / steps;
}

std::int64_t meanNotOverlapped(const RankFacts& rank) {
    return saturatedSum(meanOfSteps(rank, &StepFacts::exposed), meanOfSteps(rank, &StepFacts::bubble));
}

Cohort cohortOf(const RankFacts& rank) { return {rank.recording, rank.role, rank.stage}; }

std::map<Cohort, double> cohortMedians(const CaptureFacts& facts, std::int64_t StepFacts::*part) {
    std::map<Cohort, std::vector<double>> values;
    for (const RankFacts& rank : facts.ranks) {
        if (meanStep(rank) > 0) values[cohortOf(rank)].push_back(static_cast<double>(meanOfSteps(rank, part)));
    }
    std::map<Cohort, double> medians;
    for (auto& [cohort, all] : values) medians.emplace(cohort, median(std::move(all)));
    return medians;
}

std::vector<double> usualOfOthers(const std::vector<std::pair<RankIndex, double>>& values) {
    // Of many ranks the median is the same without oneself to all that matters.
    constexpr std::size_t kFew = 16;
    std::vector<double> all, usual;
    for (const auto& [rank, value] : values) all.push_back(value);
    const double middle = median(all);
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<double> others;
        if (all.size() <= kFew) {
            others = all;
            others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        }
        usual.push_back(others.empty() ? middle : median(std::move(others)));
    }
    return usual;
}

std::vector<std::optional<double>> mediansOfOthers(const CaptureFacts& facts, std::int64_t StepFacts::*part) {
    std::map<Cohort, std::vector<std::pair<RankIndex, double>>> cohorts;
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        const RankFacts& rank = facts.ranks[r.value];
        if (meanStep(rank) > 0) cohorts[cohortOf(rank)].emplace_back(r, static_cast<double>(meanOfSteps(rank, part)));
    }
    std::vector<std::optional<double>> medians(facts.ranks.size());
    for (const auto& [cohort, values] : cohorts) {
        if (values.size() < 2) continue;
        const std::vector<double> usual = usualOfOthers(values);
        for (std::size_t i = 0; i < values.size(); ++i) medians[values[i].first.value] = usual[i];
    }
    return medians;
}

std::int64_t stepLength(const RankFacts& rank, std::optional<std::int64_t> step) {
    const auto found =
        std::find_if(rank.steps.begin(), rank.steps.end(), [&](const StepFacts& one) { return one.step == step; });
    return found == rank.steps.end() ? 0 : std::max<std::int64_t>(0, found->endToEnd());
}

RankIndex indexOf(const RuleContext& context, const RankFacts& rank) {
    return rankIndex(static_cast<std::size_t>(&rank - context.facts.ranks.data()));
}

std::int64_t limitedCost(const RankFacts& rank, const StepCost& cost, StepParts parts) {
    const std::int64_t time = std::max<std::int64_t>(0, cost.time);
    const std::int64_t step = meanStep(rank);
    if (step <= 0) return time;
    std::int64_t all = 0;
    for (std::int64_t StepFacts::*part : parts)
        addSaturated(all, cost.byStep.empty() ? meanOfSteps(rank, part) : meanWhere(rank, part, cost.byStep));
    return std::clamp<std::int64_t>(std::min(all, step), 0, time);
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

std::vector<std::int64_t> byStepOf(const RankFacts& rank, const StepLosses& losses) {
    std::vector<std::int64_t> byStep(rank.steps.size());
    bool any = false;
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
        const auto loss = losses.find(rank.steps[i].step);
        if (loss == losses.end() || loss->second <= 0) continue;
        byStep[i] = saturatedRound(loss->second);
        any = true;
    }
    return any ? byStep : std::vector<std::int64_t>();
}

TransferLimits transferLimits(const FindingThresholds& thresholds) {
    return {thresholds.smallPacketBytes, thresholds.fastLinkBandwidth, thresholds.networkBandwidth,
            thresholds.lostPacketNs, thresholds.contendedShare};
}

double usualBandwidth(const FindingThresholds& thresholds, std::string_view transport) {
    return transferLimits(thresholds).bandwidth(transport);
}

std::string rankText(const RankFacts& rank) {
    if (!rank.rankId) return rank.path.empty() || rank.path == "." ? "N/A" : rank.path;
    return std::to_string(*rank.rankId) + (rank.place.empty() ? "" : " · " + rank.place);
}

Finding rankFinding(const RuleContext& context, RuleName rule, RankIndex rank, std::optional<std::int64_t> recoverable,
                    std::initializer_list<ThresholdName> thresholds) {
    const RankFacts& facts = context.facts.ranks[rank.value];
    Finding finding;
    finding.rule = std::string_view(rule);
    finding.rank = rank;
    finding.rankId = facts.rankId;
    finding.recoverable = recoverable;
    finding.isOfRecording = hasNoSteps(facts);
    const std::int64_t step = meanStep(facts);
    if (recoverable) finding.severity = severityOf(context.thresholds, *recoverable, step);
    addParameter(finding, "rank", rankText(facts));
    if (recoverable) {
        nameDevice(finding, facts.device);
        addParameter(finding, "recoverable", timeText(*recoverable));
        addParameter(finding, "share",
                     shareText(step > 0 ? static_cast<double>(*recoverable) / static_cast<double>(step) : 0));
    }
    for (const ThresholdInfo& info : thresholdInfos()) {
        const bool decides = std::any_of(thresholds.begin(), thresholds.end(),
                                         [&](const ThresholdName& one) { return &one.info() == &info; });
        const bool rates = recoverable && (info.name == "high_share" || info.name == "medium_share");
        if (decides || rates) finding.thresholds.emplace_back(info.name, context.thresholds.*info.value);
    }
    return finding;
}

void addParameter(Finding& finding, std::string_view name, std::string value) {
    finding.parameters.emplace_back(std::string(name), std::move(value));
}

void nameDevice(Finding& finding, std::optional<std::int64_t> device) {
    if (!device) return;
    addParameter(finding, "device", std::to_string(*device));
    addNote(finding, "finding.note.of_device");
}

void addNote(Finding& finding, std::string_view code) {
    if (std::find(finding.notes.begin(), finding.notes.end(), code) == finding.notes.end())
        finding.notes.push_back(code);
}

void lowerSeverity(Finding& finding, FindingSeverity most, std::string_view code) {
    if (finding.severity >= most) return;
    finding.severity = most;
    addNote(finding, code);
}

void setRecoverable(const RuleContext& context, Finding& finding, std::int64_t recoverable, std::string_view code) {
    const std::int64_t step = meanStep(context.facts.ranks[finding.rank->value]);
    finding.recoverable = recoverable;
    for (auto& [name, value] : finding.parameters) {
        if (name == "recoverable") value = timeText(recoverable);
        if (name == "share")
            value = shareText(step > 0 ? static_cast<double>(recoverable) / static_cast<double>(step) : 0);
    }
    const Rule* rule = findRule(finding.rule);
    if (rule == nullptr || !rule->isRatedByItself)
        finding.severity = std::max(finding.severity, severityOf(context.thresholds, recoverable, step));
    addNote(finding, code);
}

void rateByAllSteps(const RuleContext& context, Finding& finding, std::size_t affected, FindingSeverity floor) {
    constexpr double kTrifle = 0.01;
    const RankFacts& rank = context.facts.ranks[finding.rank->value];
    const auto steps = static_cast<std::int64_t>(
        std::count_if(rank.steps.begin(), rank.steps.end(), [](const StepFacts& step) { return step.endToEnd() > 0; }));
    if (!finding.recoverable || steps == 0) return;
    const std::int64_t mean = saturatedRound(static_cast<double>(*finding.recoverable) / static_cast<double>(steps) *
                                             static_cast<double>(affected));
    const std::int64_t step = meanStep(rank);
    lowerSeverity(finding, severityOf(context.thresholds, mean, step), "finding.note.some_steps");
    if (static_cast<double>(mean) >= kTrifle * static_cast<double>(step))
        finding.severity = std::min(finding.severity, floor);
}

void rateOneStep(const RuleContext& context, Finding& finding) {
    const RankFacts& rank = context.facts.ranks[finding.rank->value];
    std::int64_t all = 0;
    for (const StepFacts& step : rank.steps) addSaturated(all, std::max<std::int64_t>(0, step.endToEnd()));
    const std::int64_t recoverable = finding.recoverable.value_or(0);
    const FindingSeverity ofAll = severityOf(context.thresholds, recoverable, all);
    addParameter(finding, "all_share",
                 shareText(all > 0 ? static_cast<double>(recoverable) / static_cast<double>(all) : 0));
    lowerSeverity(finding, std::max(ofAll, FindingSeverity::Medium), "finding.note.one_step");
}

void nameSingleEvent(const RuleContext& context, Finding& finding, const Occurrences& occurrences) {
    const RankFacts& rank = context.facts.ranks[finding.rank->value];
    if (occurrences.stepsWithAny() != 1 || rank.steps.size() < 2) return;
    const auto place =
        std::find_if(occurrences.byStep.begin(), occurrences.byStep.end(), [](std::int64_t ns) { return ns > 0; });
    const auto index = static_cast<std::size_t>(place - occurrences.byStep.begin());
    if (index >= rank.steps.size()) return;
    finding.step = rank.steps[index].step;
    addParameter(finding, "step", std::to_string(finding.step.value_or(static_cast<std::int64_t>(index) + 1)));
    addNote(finding, "finding.note.one_event");
}

bool hasNoSteps(const RankFacts& rank) { return rank.steps.size() == 1 && !rank.steps.front().step; }

std::string largestTypes(const std::map<std::string, double, std::less<>>& byType) {
    constexpr std::size_t kNamed = 3;
    constexpr double kLittle = 0.1;
    std::vector<std::pair<double, std::string_view>> types;
    double all = 0;
    for (const auto& [type, ns] : byType) {
        if (ns <= 0 || type.empty()) continue;
        types.emplace_back(-ns, type);
        all += ns;
    }
    std::sort(types.begin(), types.end());
    std::string list;
    for (std::size_t i = 0; i < std::min(kNamed, types.size()) && -types[i].first >= kLittle * all; ++i)
        list += (i == 0 ? "" : ", ") + std::string(types[i].second) + " (" + timeText(saturatedRound(-types[i].first)) +
                ')';
    return list;
}

void addComparison(Finding& finding, std::int64_t own, std::int64_t peers) {
    const std::int64_t more = saturatedDifference(own, peers);
    // Tenths of the unit of the whole, from µs to s: what is printed adds up, and small differences of long times show.
    constexpr std::int64_t kMicrosecond = 1'000, kMinute = 60'000'000'000;
    const TimeScale scale = timeScaleOf(std::clamp(own, kMicrosecond, kMinute));
    const double all = std::round(static_cast<double>(own) / scale.ns * 10),
                 above = std::round(static_cast<double>(more) / scale.ns * 10);
    const std::string unit = ' ' + std::string(scale.unit);
    addParameter(finding, "own", oneDecimal(all / 10) + unit);
    addParameter(finding, "peers", oneDecimal((all - above) / 10) + unit);
    addParameter(finding, "more", "+" + oneDecimal(above / 10) + unit);
    std::array<char, 64> percent{};
    std::snprintf(percent.data(), percent.size(), "+%.0f %%",
                  peers > 0 ? static_cast<double>(more) / static_cast<double>(peers) * 100 : 0.0);
    addParameter(finding, "more_share", percent.data());
}

void addSlices(Finding& finding, const Occurrences& occurrences) {
    for (const FactSlice& slice : occurrences.longest) {
        if (!finding.range) finding.range = slice.range;
        finding.evidence.slices.push_back({finding.rank.value_or(RankIndex{}), slice});
    }
}

void addStepRanges(Finding& finding, const RankFacts& rank, RankIndex index) {
    if (!rank.hasEvents) return;
    std::vector<const StepFacts*> steps;
    for (const StepFacts& step : rank.steps) {
        if (step.endToEnd() > 0) steps.push_back(&step);
    }
    constexpr std::size_t kMax = 20;
    if (steps.size() > kMax) {
        std::nth_element(steps.begin(), steps.begin() + kMax, steps.end(),
                         [](const StepFacts* a, const StepFacts* b) { return a->endToEnd() > b->endToEnd(); });
        steps.resize(kMax);
        std::sort(steps.begin(), steps.end(),
                  [](const StepFacts* a, const StepFacts* b) { return a->range.begin < b->range.begin; });
    }
    for (const StepFacts* step : steps) finding.evidence.ranges.push_back({index, step->range});
    if (!steps.empty()) finding.range = steps.front()->range;
}

void addPeers(const RuleContext& context, Finding& finding, RankIndex rank) {
    const auto& ranks = context.facts.ranks;
    for (RankIndex r; r.value < ranks.size(); ++r.value) {
        if (r != rank && cohortOf(ranks[r.value]) == cohortOf(ranks[rank.value]) && meanStep(ranks[r.value]) > 0)
            finding.evidence.peers.push_back(r);
    }
}

std::string sqlLiteral(std::string_view text) {
    std::string literal = "'";
    for (const char c : text) literal.append(c == '\'' ? 2 : 1, c);
    return literal + "'";
}

void addCollectiveRows(Finding& finding, const RankFacts& rank, std::string_view condition) {
    const std::string_view origin = rank.areCollectivesComputed ? "computed" : "recorded";
    addRows(finding, "collective", "origin = " + sqlLiteral(origin) + " AND " + std::string(condition));
}

FindingEvidence::Rows& addSnapshotRows(Finding& finding, std::string_view table, std::int64_t device,
                                       std::string_view condition) {
    // Host memory has no number.
    const std::string of = device < 0 ? "device_id IS NULL" : "device_id = " + std::to_string(device);
    addRows(finding, table, of + " AND " + std::string(condition));
    FindingEvidence::Rows& rows = finding.evidence.rows.back();
    rows.rank = finding.rank;
    rows.device = device;
    return rows;
}

void addRows(Finding& finding, std::string_view table, std::string_view condition) {
    std::string where =
        finding.rankId ? "rank_id = " + std::to_string(*finding.rankId) : std::string("rank_id IS NULL");
    if (!condition.empty()) where += " AND " + std::string(condition);
    finding.evidence.rows.push_back({std::string(table), std::move(where)});
}

std::int64_t saidOf(const RuleContext& context, RankIndex rank, std::initializer_list<RuleName> rules) {
    std::int64_t sum = 0;
    for (const Finding& finding : context.findings) {
        const bool isMeant = std::find(rules.begin(), rules.end(), finding.rule) != rules.end();
        if (isMeant && finding.rank == rank) addSaturated(sum, finding.recoverable.value_or(0));
    }
    return sum;
}

std::int64_t saidOfOthers(const RuleContext& context, RankIndex rank, std::span<const RuleName> rules) {
    std::int64_t sum = 0;
    for (const RuleName rule : rules) {
        std::int64_t most = 0;
        for (const Finding& finding : context.findings) {
            if (!(finding.rule == rule) || !finding.rank || finding.rank == rank) continue;
            if (context.facts.ranks[finding.rank->value].recording != context.facts.ranks[rank.value].recording)
                continue;
            most = std::max(most, finding.recoverable.value_or(0));
        }
        addSaturated(sum, most);
    }
    return sum;
}

}  // namespace altiscope
