#include "core/findings/rules.h"

#include <map>
#include <string>

namespace altiscope {

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
