#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include <algorithm>
#include <cstddef>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

std::size_t incompleteSteps(const CaptureFacts& facts) {
    std::size_t count = 0;
    for (const RankFacts& rank : facts.ranks)
        count += static_cast<std::size_t>(std::count_if(rank.steps.begin(), rank.steps.end(),
                                                        [](const StepFacts& step) { return step.isIncomplete; }));
    return count;
}

}  // namespace

void findMissingData(RuleContext& context) {
    std::map<std::string, std::string> switches;  // by what is missing
    std::size_t ranks = 0;
    for (const RankFacts& rank : context.facts.ranks) {
        const bool hasAll =
            std::none_of(rank.steps.begin(), rank.steps.end(), [](const StepFacts& step) { return step.isIncomplete; });
        ranks += rank.missing.empty() && hasAll ? 0 : 1;
        for (const auto& [what, name] : rank.missing) switches.emplace(what, name);
    }
    const std::size_t incomplete = incompleteSteps(context.facts);
    if (switches.empty() && incomplete == 0) return;
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
    if (switches.empty()) switches.emplace("complete steps", "");
    addParameter(finding, "what", listOf([](const auto& entry) -> const std::string& { return entry.first; }));
    const std::string named = listOf([](const auto& entry) -> const std::string& { return entry.second; });
    addParameter(finding, "switch", named);
    if (!named.empty()) addNote(finding, "finding.note.missing_switch");
    addParameter(finding, "ranks", std::to_string(ranks));
    if (incomplete > 0) {
        addParameter(finding, "incomplete", std::to_string(incomplete));
        addNote(finding, "finding.note.incomplete_steps");
    }
    context.findings.push_back(std::move(finding));
}

void findCutTimelines(RuleContext& context) {
    std::vector<RankIndex> cut;
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        if (context.facts.ranks[r.value].isCut) cut.push_back(r);
    }
    if (cut.empty()) return;
    Finding finding = rankFinding(context, "cut_timeline", cut.front(), std::nullopt, {});
    // Nothing that compares this rank with others can be trusted: that comes before what is of low severity.
    finding.severity = FindingSeverity::Medium;
    addParameter(finding, "count", std::to_string(cut.size()));
    if (cut.size() > 1) addNote(finding, "finding.note.more_cut");
    addRows(finding, "diagnostic", {});
    finding.evidence.rows.back().condition = "code IN ('trace.cut', 'archive.truncated')";
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
