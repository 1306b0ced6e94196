#include "core/findings/run_rules.h"

#include "core/findings/fail_slow.h"
#include "core/findings/rule_support.h"

#include "core/analysis/support/saturating.h"
#include "core/analysis/support/summary_rowid.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

namespace altiscope {

namespace {

void sortFindings(std::vector<Finding>& findings) {
    const auto placeOf = [](const Finding& finding) {
        const std::int64_t all = finding.recoverable.value_or(0);
        return std::tuple(finding.severity, isPartOfFailSlow(finding), -finding.now.value_or(all), -all,
                          std::string_view(finding.rule), finding.rank);
    };
    std::stable_sort(findings.begin(), findings.end(),
                     [&](const Finding& a, const Finding& b) { return placeOf(a) < placeOf(b); });
}

/// A finding in a rank of which data was lost may come from that, and says so; a comparison in which rows are
/// missing is not rated high.
void qualifyPartialRanks(const CaptureFacts& facts, std::vector<Finding>& findings) {
    std::map<std::uint32_t, LostParts> lost;  // by recording
    for (const RankFacts& rank : facts.ranks) {
        LostParts& any = lost[rank.recording];
        any.steps |= rank.lost.steps;
        any.collectives |= rank.lost.collectives;
        any.links |= rank.lost.links;
    }
    for (Finding& finding : findings) {
        if (!finding.rank) continue;
        const RankFacts& rank = facts.ranks[finding.rank->value];
        const Rule* rule = findRule(finding.rule);
        const bool misses = rule != nullptr && rule->compares != nullptr && lost[rank.recording].*(rule->compares);
        if (misses) lowerSeverity(finding, FindingSeverity::Medium, "finding.note.partial_medium");
        if (misses || rank.isPartial) addNote(finding, "finding.note.partial");
    }
}

/// A finding about a whole recording may be about what happens before and after the work: no share of it is high.
void rateRecordings(std::vector<Finding>& findings) {
    for (Finding& finding : findings) {
        const Rule* rule = findRule(finding.rule);
        const bool isRatedByItself = rule != nullptr && rule->isRatedByItself;
        if (!finding.isOfRecording || !finding.recoverable || isRatedByItself) continue;
        lowerSeverity(finding, FindingSeverity::Medium, "finding.note.no_steps");
        addNote(finding, "finding.note.no_steps");
    }
}

/// Tables of evidence whose row ids do not name the rank. Those of all others, which readers fill, do.
constexpr std::string_view kWithoutRank[] = {"slice", "counter", "metadata", "blame", "diagnostic"};

/// Several ranks may have one number, or none: the rows that a finding leads to are those of its own rank.
void narrowEvidence(const CaptureFacts& facts, std::vector<Finding>& findings) {
    std::map<std::optional<std::int64_t>, std::size_t> sameNumber;
    for (const RankFacts& rank : facts.ranks) ++sameNumber[rank.rankId];
    for (Finding& finding : findings) {
        if (!finding.rank || sameNumber[facts.ranks[finding.rank->value].rankId] < 2) continue;
        for (FindingEvidence::Rows& rows : finding.evidence.rows) {
            if (std::find(std::begin(kWithoutRank), std::end(kWithoutRank), rows.table) != std::end(kWithoutRank))
                continue;
            rows.condition += " AND rowid BETWEEN " + std::to_string(firstSummaryRowid(*finding.rank)) + " AND " +
                              std::to_string(firstSummaryRowid({finding.rank->value + 1}) - 1);
        }
    }
}

}  // namespace

std::vector<Finding> runRules(const CaptureFacts& facts, std::span<const MemoryUsage> usage,
                              const FindingThresholds& thresholds, const CancelToken& cancel,
                              const MemoryLimits& limits) {
    std::vector<Finding> findings;
    RuleContext context{.facts = facts,
                        .thresholds = thresholds,
                        .cancel = cancel,
                        .findings = findings,
                        .usage = usage.size() == facts.ranks.size() ? usage : std::span<const MemoryUsage>(),
                        .limits = limits};
    for (const Rule& rule : kRules) {
        if (cancel.cancelled()) break;
        rule.find(context);
    }
    qualifyPartialRanks(facts, findings);
    rateRecordings(findings);
    sortFindings(findings);
    narrowEvidence(facts, findings);
    return findings;
}

FindingCounts countFindings(const std::vector<Finding>& findings) {
    FindingCounts counts;
    for (const Finding& finding : findings) {
        switch (finding.severity) {
        case FindingSeverity::High: ++counts.high; break;
        case FindingSeverity::Medium: ++counts.medium; break;
        case FindingSeverity::Low: ++counts.low; break;
        }
    }
    return counts;
}

}  // namespace altiscope
