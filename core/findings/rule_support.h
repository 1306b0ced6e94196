#pragma once

#include "core/analysis/facts/memory_usage.h"
#include "core/analysis/facts/transfer_losses.h"
#include "core/base/text/amount_text.h"
#include "core/base/values/cancel.h"
#include "core/base/values/median.h"
#include "core/findings/finding.h"
#include "core/findings/rule_table.h"
#include "core/findings/thresholds.h"

#include <cstdint>
#include <initializer_list>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace altiscope {

/// What a rule looks at, and where it puts what it found. The findings of the rules before it are there already.
struct RuleContext {
    const CaptureFacts& facts;
    const FindingThresholds& thresholds;
    const CancelToken& cancel;  ///< Polled by rules that look at every kernel of every rank.
    std::vector<Finding>& findings;
    std::span<const MemoryUsage> usage;  ///< Of the ranks of the facts; empty: not known.
    const MemoryLimits& limits;
};

/// Mean of StepFacts::endToEnd over the steps of a rank that have any, ns; 0 if none has.
std::int64_t meanStep(const RankFacts& rank);
/// Mean of a part of the steps over the same steps.
std::int64_t meanOfSteps(const RankFacts& rank, std::int64_t StepFacts::*part);
/// Of collectives while nothing computes: exposed communication and the bubble.
std::int64_t meanNotOverlapped(const RankFacts& rank);
/// Length of one step of a rank, ns; 0 if it has none of this number.
std::int64_t stepLength(const RankFacts& rank, std::optional<std::int64_t> step);

/// Ranks that do the same work at the same time: of one recording, role and stage.
using Cohort = std::tuple<std::uint32_t, std::string, std::int64_t>;
Cohort cohortOf(const RankFacts& rank);
/// The medians of a part of the mean steps over the ranks of each cohort that have steps.
std::map<Cohort, double> cohortMedians(const CaptureFacts& facts, std::int64_t StepFacts::*part);
/// What is usual for each of some ranks, by index and value: the median of the others. Alone, its own value.
std::vector<double> usualOfOthers(const std::vector<std::pair<RankIndex, double>>& values);
/// The same of a part of the mean steps, within each cohort, by index of the rank; nullopt for a rank that has no steps
/// or no peer with steps.
std::vector<std::optional<double>> mediansOfOthers(const CaptureFacts& facts, std::int64_t StepFacts::*part);

/// The mean over the steps that lose any, ns.
std::int64_t perStep(const StepLosses& losses);
/// The same by place of the rank's steps, as Occurrences::byStep; empty if none of them loses any.
std::vector<std::int64_t> byStepOf(const RankFacts& rank, const StepLosses& losses);

/// What transfers are held against.
TransferLimits transferLimits(const FindingThresholds& thresholds);
/// What large packets reach on a transport, bytes/ns.
double usualBandwidth(const FindingThresholds& thresholds, std::string_view transport);

/// What sentences call a rank: its number, with what distinguishes it from others of that number ("1 · run_2"), else
/// its path, else "N/A".
std::string rankText(const RankFacts& rank);

/// A finding about a rank (index in the facts), with its severity by recoverable time: a share of the mean step.
/// Parameters "rank" (as rankText()), "recoverable" and "share" are set; with a recoverable time, which is
/// that of the steps of one device, also the device.
/// @param thresholds  Those that decided, by name.
Finding rankFinding(const RuleContext& context, RuleName rule, RankIndex rank, std::optional<std::int64_t> recoverable,
                    std::initializer_list<ThresholdName> thresholds);
/// Steps of one run differ by a share of them (kernelSavingShare): less could not be seen to be won.
bool isSeen(const RuleContext& context, const RankFacts& rank, std::int64_t recoverable);
/// By what a time is of a rank's mean step.
FindingSeverity severityOf(const RuleContext& context, RankIndex rank, std::int64_t recoverable);
void addParameter(Finding& finding, std::string_view name, std::string value);
/// Says which device of a rank a finding is about, where the rank recorded several: parameter "device", and a sentence.
void nameDevice(Finding& finding, std::optional<std::int64_t> device);
/// Adds a sentence after the finding's detail, by code of the catalogue with the finding's parameters.
void addNote(Finding& finding, std::string_view code);
/// Lowers the severity to `most` where its time alone would make it more, and says so: the sentence says why.
void lowerSeverity(Finding& finding, FindingSeverity most, std::string_view code);
/// Gives a finding another recoverable time, in its texts too; with a sentence that says why. A severity that this is
/// too little for is lowered.
void setRecoverable(const RuleContext& context, Finding& finding, std::int64_t recoverable, std::string_view code);
/// A time against that of peers as a sentence needs it: parameters "own", "peers", "more" ("+14.6 ms") and "more_share"
/// ("+30 %", of the peers' time). As they are printed, "peers" and "more" add up to "own".
void addComparison(Finding& finding, std::int64_t own, std::int64_t peers);
/// Rates a finding that shows in some steps by what all steps lose, and says so; at least `floor` where that is 1 % of
/// them.
/// @param affected  Steps in which it shows.
void rateByAllSteps(const RuleContext& context, Finding& finding, std::size_t affected, FindingSeverity floor);
/// Rates what happens in one step alone by its share of all steps of its rank (parameter "all_share"), at most medium,
/// and says so.
void rateOneStep(const RuleContext& context, Finding& finding);
/// What shows in one of several steps is an event and no rate: names that step.
void nameSingleEvent(const RuleContext& context, Finding& finding, const Occurrences& occurrences);
/// Evidence: the longest slices of something, the first of which is where the finding shows.
void addSlices(Finding& finding, const Occurrences& occurrences);
/// Evidence: the steps of a rank in which the device did anything, the longest ones if they are
/// many.
void addStepRanges(Finding& finding, const RankFacts& rank, RankIndex index);
/// Evidence: the other ranks of its cohort that have steps, which it was compared with.
void addPeers(const RuleContext& context, Finding& finding, RankIndex rank);
/// Evidence: rows of a SQL table of the finding's rank.
void addRows(Finding& finding, std::string_view table, std::string_view condition);
/// The same of `collective`, which has recorded and computed rows beside each other: those that the facts are sums of.
void addCollectiveRows(Finding& finding, const RankFacts& rank, std::string_view condition);
/// The same of a table of a memory snapshot, of one device.
FindingEvidence::Rows& addSnapshotRows(Finding& finding, std::string_view table, std::int64_t device,
                                       std::string_view condition);
/// A text of a capture as a literal of SQL.
std::string sqlLiteral(std::string_view text);

/// Whether nothing divides the recording of a rank into steps: what is said of a step is said of all of it.
bool hasNoSteps(const RankFacts& rank);
/// Types by what they count, "MatMulV2 (3.1 ms), Add (0.2 ms)": the largest first, at most three, none below a tenth of
/// the sum of all that are positive; empty if there are none.
std::string largestTypes(const std::map<std::string, double, std::less<>>& byType);

/// The rank for which `value` (ns) is largest; nullopt if it is positive for none. Of equals the first.
template <class Value>
std::optional<RankIndex> worstRank(const CaptureFacts& facts, Value value) {
    std::optional<RankIndex> worst;
    std::int64_t most = 0;
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        const std::int64_t here = value(facts.ranks[r.value]);
        if (here <= most) continue;
        most = here;
        worst = r;
    }
    return worst;
}

/// Index of a rank of the facts.
RankIndex indexOf(const RuleContext& context, const RankFacts& rank);

/// Parts of a step that a cause can cost.
using StepParts = std::initializer_list<std::int64_t StepFacts::*>;

/// What a cause costs a rank, ns per step, and in which steps it shows, as Occurrences::byStep; empty: in all.
struct StepCost {
    std::int64_t time = 0;
    std::vector<std::int64_t> byStep = {};
};
/// A cost that is no longer than the parts that it can cost, of the mean of the steps in which it shows, nor than the
/// mean step. Of a rank whose steps nothing states nobody knows what it can cost at most.
std::int64_t limitedCost(const RankFacts& rank, const StepCost& cost, StepParts parts);

/// The rank that something costs most, and how much; ns per step.
struct WorstCost {
    RankIndex rank{};
    std::int64_t time = 0;
};
/// As worstRank, for costs (StepCost) within their parts of a step.
template <class Value>
std::optional<WorstCost> worstCost(const CaptureFacts& facts, StepParts parts, Value value) {
    std::optional<WorstCost> worst;
    for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
        const std::int64_t cost = limitedCost(facts.ranks[r.value], value(facts.ranks[r.value]), parts);
        if (cost > (worst ? worst->time : 0)) worst = {r, cost};
    }
    return worst;
}

/// What the findings of some rules say that a rank itself could recover; ns per step.
std::int64_t saidOf(const RuleContext& context, RankIndex rank, std::initializer_list<RuleName> rules);
/// What they say of another rank of the same recording, the largest of each rule: this one waits as long for it.
std::int64_t saidOfOthers(const RuleContext& context, RankIndex rank, std::span<const RuleName> rules);

}  // namespace altiscope
