#pragma once

#include "core/base/cancel.h"
#include "core/findings/finding.h"
#include "core/findings/thresholds.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// What a rule looks at, and where it puts what it found. The findings of the rules before it are there already.
struct RuleContext {
    const CaptureFacts& facts;
    const FindingThresholds& thresholds;
    const CancelToken& cancel;  ///< Polled by rules that look at every kernel of every rank.
    std::vector<Finding>& findings;
    /// What causes cost each rank, by rule and then by place in the facts; ns per step. A finding tells only the worst of it.
    std::map<std::string_view, std::vector<std::int64_t>> costs;
};
using Rule = void (*)(RuleContext& context);

/// Mean of computing + notOverlapped + free over the steps of a rank that have any, ns; 0 if none has.
std::int64_t meanStep(const RankFacts& rank);
/// Mean of a part of the steps over the same steps.
std::int64_t meanOfSteps(const RankFacts& rank, std::int64_t StepFacts::* part);
/// Middle value; of two middle ones their mean. @pre not empty.
double median(std::vector<double> values);

/// What is lost in each step, ns; and its mean over the steps that lose any.
using StepLosses = std::map<std::optional<std::int64_t>, double>;
std::int64_t perStep(const StepLosses& losses);

/// What large packets reach on a transport, bytes/ns.
double usualBandwidth(const FindingThresholds& thresholds, std::string_view transport);

/// "12.3 ms", "25.0 %", "8.0 MB" (2^20): the same in all languages.
std::string timeText(std::int64_t ns);
std::string shareText(double share);
std::string bytesText(std::int64_t bytes);

/// A finding about a rank (place in the facts), with its severity by recoverable time: a share of the mean step. Parameters "rank"
/// (number, or path, or "N/A"), "recoverable" and "share" are set.
/// @param thresholds  Those that decided, by name.
Finding rankFinding(const RuleContext& context, std::string_view rule, std::size_t rank, std::optional<std::int64_t> recoverable,
                    std::initializer_list<std::string_view> thresholds);
void addParameter(Finding& finding, std::string_view name, std::string value);
/// Evidence: the longest slices of something, the first of which is where the finding shows.
void addSlices(Finding& finding, const Occurrences& occurrences);
/// Evidence: the steps of a rank (place in the facts) in which the device did anything, the longest ones if they are many.
void addStepRanges(Finding& finding, const RankFacts& rank, std::size_t place);
/// Evidence: rows of a SQL table of the finding's rank.
void addRows(Finding& finding, std::string_view table, std::string_view condition);

/// The place of the rank for which `value` (ns) is greatest; nullopt if it is positive for none. Of equals the first.
template <class Value>
std::optional<std::size_t> worstRank(const CaptureFacts& facts, Value value) {
    std::optional<std::size_t> worst;
    std::int64_t most = 0;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        const std::int64_t here = value(facts.ranks[r]);
        if (here <= most) continue;
        most = here;
        worst = r;
    }
    return worst;
}

/// As worstRank, for a cause of what later rules look at: notes what it costs each rank.
template <class Value>
std::optional<std::size_t> worstCause(RuleContext& context, std::string_view rule, Value value) {
    std::vector<std::int64_t>& costs = context.costs[rule];
    for (const RankFacts& rank : context.facts.ranks) costs.push_back(value(rank));
    return worstRank(context.facts, [&](const RankFacts& rank) { return costs[static_cast<std::size_t>(&rank - context.facts.ranks.data())]; });
}

/// What causes cost a rank (place in the facts) itself, all rules together; ns per step.
std::int64_t costOn(const RuleContext& context, std::size_t rank, std::initializer_list<std::string_view> rules);
/// What causes cost another rank of the same recording at most, the greatest of each rule: so long this one waits for it.
std::int64_t costOnOthers(const RuleContext& context, std::size_t rank, std::initializer_list<std::string_view> rules);

}  // namespace altiscope
