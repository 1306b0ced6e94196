#include "core/findings/find_problems.h"

#include "core/findings/rules.h"

#include <algorithm>
#include <tuple>

namespace altiscope {

namespace {

/// Causes before what they explain.
constexpr Rule kRules[] = {findSlowRank,     findSmallPackets,     findSlowLinks,         findAiCpu,
                           findFrequencyDrop, findGcPauses,         findDataLoading,       findSlowLaunches,
                           findMemoryLeak,   findExposedCommunication, findFreeGap,       findFreeTime,
                           findStepOutliers, findTinyKernels,      findSynchronizations,  findUnfusedOptimizers,
                           findMissingData};

}  // namespace

std::vector<Finding> findProblems(const CaptureFacts& facts, const FindingThresholds& thresholds, const CancelToken& cancel) {
    std::vector<Finding> findings;
    RuleContext context{facts, thresholds, cancel, findings, {}};
    for (const Rule rule : kRules) {
        if (cancel.cancelled()) break;
        rule(context);
    }
    std::stable_sort(findings.begin(), findings.end(), [](const Finding& a, const Finding& b) {
        return std::tuple(a.severity, -a.recoverable.value_or(0), std::string_view(a.rule), a.rank) <
               std::tuple(b.severity, -b.recoverable.value_or(0), std::string_view(b.rule), b.rank);
    });
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
