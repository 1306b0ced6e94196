#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/communication/transfer_advice.h"
#include "core/analysis/facts/transfer_losses.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <optional>
#include <string>
#include <utility>

namespace altiscope {

namespace {

static_assert(TransferLimits{}.lostPacketNs == static_cast<double>(TransferAdvice::kLostPacketNs) &&
              TransferLimits{}.smallPacketBytes == TransferAdvice::kSmallPacket &&
              TransferLimits{}.fastBandwidth == TransferAdvice::kUsualBandwidth &&
              TransferLimits{}.networkBandwidth == TransferAdvice::kUsualRemoteBandwidth);

constexpr std::initializer_list<ThresholdName> kUnalignedLimits = {"unaligned_packet_share", "small_packet_bytes",
                                                                   "fast_link_bandwidth"};

/// A replay takes the usual limits: with those of a user it may have tried nothing, and says nothing.
std::optional<Claim> transferClaim(const RuleContext& context, WhatIf whatIf) {
    auto claim = whatIfClaim(context, whatIf);
    if (claim && claim->ranks.empty()) claim.reset();
    return claim;
}

/// Whether no step is shorter without it.
bool isHarmless(const std::optional<Claim>& claim) { return claim && claim->recoverable == 0; }

std::int64_t lostPerStep(std::vector<std::int64_t> byStep) {
    Occurrences sum;
    sum.byStep = std::move(byStep);
    return sum.perAffectedStep();
}

}  // namespace

void findUnalignedPackets(RuleContext& context) {
    const TransferLimits limits = transferLimits(context.thresholds);
    const std::map<std::string, double> reached = alignedBandwidths(context.facts.ranks, limits);
    const auto isMuch = [&](const UnalignedPackets& sum) {
        return sum.time > 0 &&
               static_cast<double>(sum.time) > context.thresholds.unalignedPacketShare * static_cast<double>(sum.all);
    };
    const auto claim = transferClaim(context, WhatIf::UnalignedPackets);
    const StepParts parts = {&StepFacts::exposed, &StepFacts::bubble};
    const auto costly = worstClaim(context, parts, claim, [&](const RankFacts& rank) {
        const UnalignedPackets sum = unalignedPackets(rank, reached, limits);
        return isMuch(sum) ? StepCost{perStep(sum.lost), byStepOf(rank, sum.lost)} : StepCost{};
    });
    // Those that cost most; where nothing of it is known, those that take longest.
    std::optional<RankIndex> worst;
    if (costly) worst = costly->rank;
    else {
        worst = worstRank(context.facts, [&](const RankFacts& rank) {
            const UnalignedPackets sum = unalignedPackets(rank, reached, limits);
            return isMuch(sum) ? sum.time : 0;
        });
    }
    // Where no step waits for them, packets of any size harm nobody.
    if (!worst || isHarmless(claim)) return;
    const UnalignedPackets sum = unalignedPackets(context.facts.ranks[worst->value], reached, limits);
    const std::optional<std::int64_t> recoverable =
        sum.lost.empty() ? std::nullopt : std::optional<std::int64_t>(costly ? costly->time : 0);
    Finding finding = recoverable
                          ? boundFinding(context, "unaligned_packets", *worst, claim, *recoverable, kUnalignedLimits)
                          : rankFinding(context, "unaligned_packets", *worst, std::nullopt, kUnalignedLimits);
    addNote(finding, recoverable ? "finding.note.aligned_known" : "finding.note.aligned_unknown");
    addParameter(finding, "count", std::to_string(sum.count));
    addParameter(finding, "packet_share", shareText(static_cast<double>(sum.time) / static_cast<double>(sum.all)));
    addRows(finding, "packet", "transport NOT IN ('RDMA', 'SDMA') AND packet_size > 512 AND packet_size % 512 <> 0");
    context.findings.push_back(std::move(finding));
}

void findLostPackets(RuleContext& context) {
    const LostPackets packets(context.facts.ranks, transferLimits(context.thresholds));
    const auto claim = transferClaim(context, WhatIf::LostPackets);
    const auto worst =
        worstClaim(context, {&StepFacts::exposed, &StepFacts::bubble}, claim, [&](const RankFacts& rank) {
            const StepLosses losses = packets.lossesOf(rank);
            return StepCost{perStep(losses), byStepOf(rank, losses)};
        });
    if (!worst) return;
    const std::vector<const LongCollective*> lost = packets.of(context.facts.ranks[worst->rank.value]);
    const LongCollective& longest = **std::max_element(
        lost.begin(), lost.end(), [](const auto* a, const auto* b) { return a->networkTime < b->networkTime; });
    Finding finding =
        boundFinding(context, "lost_packets", worst->rank, claim, worst->time, {"lost_packet", "network_bandwidth"});
    // Seconds in which the whole job stands still, whatever part of them the recording shows.
    if (!isHarmless(claim)) finding.severity = FindingSeverity::High;
    addParameter(finding, "count", std::to_string(lost.size()));
    addParameter(finding, "longest", timeText(longest.networkTime));
    addParameter(finding, "name", longest.name.empty() ? "N/A" : longest.name);
    addParameter(finding, "group", longest.group.empty() ? "N/A" : longest.group);
    addRows(finding, "bandwidth",
            "transport = 'RDMA' AND transit >= " +
                std::to_string(static_cast<std::int64_t>(context.thresholds.lostPacketNs)));
    context.findings.push_back(std::move(finding));
}

void findContention(RuleContext& context) {
    const TransferLimits limits = transferLimits(context.thresholds);
    const auto claim = transferClaim(context, WhatIf::Contention);
    const auto worst = worstClaim(context, {&StepFacts::exposed}, claim, [&](const RankFacts& rank) {
        std::vector<std::int64_t> byStep(rank.steps.size());
        for (const ContentionFacts& facts : rank.contention) {
            if (!isContended(facts, limits)) continue;
            const std::vector<std::int64_t> lost = contentionLosses(facts);
            for (std::size_t i = 0; i < std::min(lost.size(), byStep.size()); ++i) addSaturated(byStep[i], lost[i]);
        }
        const std::int64_t each = lostPerStep(byStep);
        return each > 0 ? StepCost{each, byStep} : StepCost{};
    });
    if (!worst || isHarmless(claim)) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    const ContentionFacts* most = nullptr;
    for (const ContentionFacts& facts : rank.contention) {
        if (!isContended(facts, limits)) continue;
        if (most == nullptr || most->besideTime < facts.besideTime) most = &facts;
    }
    Finding finding = boundFinding(context, "contention", worst->rank, claim, worst->time, {"contended_share"});
    // The multiplications lose as well, and nothing says how much.
    lowerSeverity(finding, FindingSeverity::Medium, "finding.note.contention");
    addParameter(finding, "operation", most->operation);
    addParameter(finding, "count", std::to_string(most->beside));
    addParameter(finding, "others", std::to_string(most->alone));
    addParameter(finding, "bandwidth",
                 bandwidthText(static_cast<double>(most->besideBytes) / static_cast<double>(most->besideTime)));
    addParameter(finding, "usual",
                 bandwidthText(static_cast<double>(most->aloneBytes) / static_cast<double>(most->aloneTime)));
    addRows(finding, "bandwidth",
            "transport = 'SDMA' AND instr(lower(op_name), " + sqlLiteral(most->operation) + ") > 0");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
