#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

/// The types that lose most, by name.
std::string worstTypes(const CoreUse& use) {
    std::vector<std::pair<std::int64_t, std::string_view>> types;
    for (const auto& [type, saved] : use.byType) types.emplace_back(-saved, type);
    std::sort(types.begin(), types.end());
    constexpr std::size_t kNamed = 3;
    std::string list;
    for (std::size_t i = 0; i < std::min(kNamed, types.size()); ++i)
        list += (i == 0 ? "" : ", ") + std::string(types[i].second);
    return list.empty() ? "N/A" : list;
}

/// A finding about kernels that leave cores without work: the rank on which they would save most.
/// @param cores  Words of `accelerator_core`, for SQL.
void findCoreUse(RuleContext& context, std::string_view rule, CoreUse RankFacts::*kernels, std::string_view cores) {
    const auto worst = worstCause(context, rule, {&StepFacts::computing}, [&](const RankFacts& rank) {
        const Occurrences& saved = (rank.*kernels).saved;
        const std::int64_t each = saved.perAffectedStep();
        const bool much =
            static_cast<double>(each) >= context.thresholds.kernelSavingShare * static_cast<double>(meanStep(rank));
        return much ? StepCost{each, saved.byStep} : StepCost{};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[*worst];
    const CoreUse& use = rank.*kernels;
    Finding finding = rankFinding(context, rule, *worst, context.costs[rule][*worst], {"kernel_saving_share"});
    lowerSeverity(finding, FindingSeverity::Low, "finding.note.cores_upper_bound");
    addParameter(finding, "count", std::to_string(use.saved.count));
    addParameter(finding, "time",
                 timeText(use.time / static_cast<std::int64_t>(std::max<std::size_t>(1, use.saved.stepsWithAny()))));
    addParameter(finding, "types", worstTypes(use));
    addParameter(finding, "limit", timeText(kLongKernelNs));
    addParameter(finding, "cube_cores", std::to_string(rank.cubeCores));
    addParameter(finding, "vector_cores", std::to_string(rank.vectorCores));
    addSlices(finding, use.saved);
    addRows(finding, "kernel",
            "dur >= " + std::to_string(kLongKernelNs) + " AND accelerator_core IN (" + std::string(cores) + ")");
    context.findings.push_back(std::move(finding));
}

}  // namespace

void findIdleCores(RuleContext& context) {
    findCoreUse(context, "idle_cores", &RankFacts::idleCores, "'AI_CORE', 'MIX_AIC', 'AI_VECTOR_CORE', 'MIX_AIV'");
}

void findCubeEfficiency(RuleContext& context) {
    findCoreUse(context, "cube_efficiency", &RankFacts::idleCube, "'AI_CORE', 'MIX_AIC'");
}

void findVectorEfficiency(RuleContext& context) {
    findCoreUse(context, "vector_efficiency", &RankFacts::idleVector, "'AI_VECTOR_CORE', 'MIX_AIV'");
}

}  // namespace altiscope
