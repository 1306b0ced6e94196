#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>

namespace altiscope {

namespace {

static_assert(FindingThresholds{}.fusibleRepeats == kFusibleRepeats);

/// The sequence that would save most of those that are worth it.
const SequenceFacts* worthiest(const RuleContext& context, const RankFacts& rank) {
    for (const SequenceFacts& sequence : rank.sequences) {
        const auto steps = static_cast<double>(std::max<std::size_t>(1, sequence.saved.stepsWithAny()));
        const bool often = static_cast<double>(sequence.saved.count) / steps >= context.thresholds.fusibleRepeats;
        if (often && isSeen(context, rank, sequence.saved.perAffectedStep())) return &sequence;
    }
    return nullptr;
}

}  // namespace

void findFusibleSequences(RuleContext& context) {
    const auto worst = worstCost(context.facts, {&StepFacts::computing}, [&](const RankFacts& rank) {
        const SequenceFacts* sequence = worthiest(context, rank);
        return sequence == nullptr ? StepCost{} : StepCost{sequence->saved.perAffectedStep(), sequence->saved.byStep};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    const SequenceFacts& sequence = *worthiest(context, rank);
    std::string names = typesText(sequence), literals;
    // Only the sequence that saves most by its own measure was replayed.
    auto claim = whatIfClaim(context, WhatIf::FusedSequence, names);
    if (claim && !claim->has(worst->rank)) claim.reset();
    if (claim && !isSeen(context, rank, claim->recoverable)) return;
    Finding finding = boundFinding(context, "fusible_sequence", worst->rank, claim, worst->time,
                                   {"kernel_saving_share", "fusible_repeats"});
    lowerSeverity(finding, FindingSeverity::Low, "finding.note.fused_upper_bound");
    for (const std::string& type : sequence.types) {
        const std::string literal = sqlLiteral(type);
        if (literals.find(literal) == std::string::npos) literals += (literals.empty() ? "" : ", ") + literal;
    }
    addParameter(finding, "types", std::move(names));
    addParameter(finding, "kernels", std::to_string(sequence.types.size()));
    addParameter(finding, "count", std::to_string(sequence.saved.count));
    addParameter(
        finding, "time",
        timeText(sequence.time / static_cast<std::int64_t>(std::max<std::size_t>(1, sequence.saved.stepsWithAny()))));
    addSlices(finding, sequence.saved);
    addRows(finding, "kernel", "type IN (" + literals + ")");
    context.findings.push_back(std::move(finding));
}

void findAffinityApis(RuleContext& context) {
    // All ranks run the same program: the one with the most calls stands for them.
    std::optional<RankIndex> worst;
    const std::pair<const std::string, Occurrences>* most = nullptr;
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const RankFacts& rank = context.facts.ranks[r.value];
        if (!rank.isNpu) continue;
        for (const auto& call : rank.fusibleCalls) {
            // A call that comes less than once a step prepares or checks something.
            if (call.second.count < std::max<std::size_t>(1, rank.steps.size())) continue;
            if (most == nullptr || call.second.count > most->second.count) most = &call, worst = r;
        }
    }
    if (!worst) return;
    Finding finding = rankFinding(context, "affinity_api", *worst, std::nullopt, {});
    std::string list;
    for (const auto& [name, calls] : context.facts.ranks[worst->value].fusibleCalls) {
        if (calls.count < std::max<std::size_t>(1, context.facts.ranks[worst->value].steps.size())) continue;
        list += (list.empty() ? "" : ", ") + name + " (" + std::to_string(calls.count) + ")";
        addSlices(finding, calls);
    }
    addParameter(finding, "calls", std::move(list));
    context.findings.push_back(std::move(finding));
}

void findDynamicShapes(RuleContext& context) {
    constexpr std::size_t kFewest = 3;  // steps; of two the second may be the odd one
    const auto shareOf = [](const ShapeFacts& shapes) {
        return shapes.kernels == 0 ? 0 : static_cast<double>(shapes.newShapes) / static_cast<double>(shapes.kernels);
    };
    std::optional<RankIndex> worst;
    double most = 0;
    for (RankIndex r; r.value < context.facts.ranks.size(); ++r.value) {
        const std::vector<ShapeFacts>& shapes = context.facts.ranks[r.value].shapes;
        if (shapes.size() < kFewest) continue;
        // All shapes of the first step are new; a run whose shapes settle later is no dynamic one.
        double min = 1;
        for (std::size_t i = 1; i < shapes.size(); ++i) min = std::min(min, shareOf(shapes[i]));
        if (min >= context.thresholds.newShapeShare && min > most) most = min, worst = r;
    }
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->value];
    Finding finding = rankFinding(context, "dynamic_shapes", *worst, std::nullopt, {"new_shape_share"});
    nameDevice(finding, context.facts.ranks[worst->value].device);
    addParameter(finding, "new_share", shareText(most));
    addParameter(finding, "steps", std::to_string(rank.shapes.size()));
    addStepRanges(finding, rank, *worst);
    const StepFacts& last = rank.steps.back();
    addRows(finding, "kernel", last.step ? "step = " + std::to_string(*last.step) : std::string());
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
