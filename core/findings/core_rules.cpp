#include "core/findings/claims.h"
#include "core/findings/rules.h"

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

/// Kernels by the kind of their cores, as SQL.
const std::string kCubeCores = "accelerator_core IN ('AI_CORE', 'MIX_AIC')",
                  kVectorCores = "accelerator_core IN ('AI_VECTOR_CORE', 'MIX_AIV')";

/// A finding about kernels that leave cores without work: the rank on which they would save most.
/// @param condition  SQL for those kernels of a rank that last long enough.
void findCoreUse(RuleContext& context, RuleName rule, WhatIf whatIf, CoreUse RankFacts::*kernels,
                 std::string (*condition)(const RankFacts& rank)) {
    const auto claim = whatIfClaim(context, whatIf);
    const auto worst = worstClaim(context, {&StepFacts::computing}, claim, [&](const RankFacts& rank) {
        const Occurrences& saved = (rank.*kernels).saved;
        const std::int64_t each = saved.perAffectedStep();
        return isSeen(context, rank, each) ? StepCost{each, saved.byStep} : StepCost{};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    if (claim && !isSeen(context, rank, claim->recoverable)) return;
    const CoreUse& use = rank.*kernels;
    Finding finding = boundFinding(context, rule, worst->rank, claim, worst->time, {"kernel_saving_share"});
    lowerSeverity(finding, FindingSeverity::Low, "finding.note.cores_upper_bound");
    addParameter(finding, "count", std::to_string(use.saved.count));
    addParameter(finding, "time",
                 timeText(use.time / static_cast<std::int64_t>(std::max<std::size_t>(1, use.saved.stepsWithAny()))));
    addParameter(finding, "types", worstTypes(use));
    addParameter(finding, "limit", timeText(kLongKernelNs));
    addParameter(finding, "cube_cores", rank.cubeCores > 0 ? std::to_string(rank.cubeCores) : "N/A");
    addParameter(finding, "vector_cores", rank.vectorCores > 0 ? std::to_string(rank.vectorCores) : "N/A");
    addSlices(finding, use.saved);
    addRows(finding, "kernel", "dur >= " + std::to_string(kLongKernelNs) + " AND " + condition(rank));
    context.findings.push_back(std::move(finding));
}

}  // namespace

void findIdleCores(RuleContext& context) {
    findCoreUse(context, "idle_cores", WhatIf::IdleCores, &RankFacts::idleCores, [](const RankFacts& rank) {
        const auto half = [](const std::string& cores, std::int64_t all) {
            return cores + " AND block_num BETWEEN 1 AND " + std::to_string(all / 2);
        };
        return "(" + half(kCubeCores, rank.cubeCores) + " OR " + half(kVectorCores, rank.vectorCores) + ")";
    });
}

void findCubeEfficiency(RuleContext& context) {
    findCoreUse(context, "cube_efficiency", WhatIf::CubeEfficiency, &RankFacts::idleCube,
                [](const RankFacts&) { return kCubeCores; });
}

void findVectorEfficiency(RuleContext& context) {
    findCoreUse(context, "vector_efficiency", WhatIf::VectorEfficiency, &RankFacts::idleVector,
                [](const RankFacts&) { return kVectorCores; });
}

}  // namespace altiscope
