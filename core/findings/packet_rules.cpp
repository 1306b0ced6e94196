#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/communication/transfer_advice.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

namespace altiscope {

namespace {

// Advice and finding call the same packets small.
static_assert(FindingThresholds{}.smallPacketBytes == static_cast<double>(TransferAdvice::kSmallPacket));
static_assert(FindingThresholds{}.fastLinkBandwidth == TransferAdvice::kUsualBandwidth &&
              FindingThresholds{}.networkBandwidth == TransferAdvice::kUsualRemoteBandwidth);
static_assert(FindingThresholds{}.smallNetworkPacketBytes == static_cast<double>(TransferAdvice::kSmallRemotePacket));

struct SmallPacketSum {
    StepLosses lost;
    std::int64_t count = 0, time = 0, all = 0, operators = 0;
};

bool isSmall(const PacketFacts& packets, const FindingThresholds& thresholds) {
    const double limit = packets.transport == "RDMA" ? thresholds.smallNetworkPacketBytes : thresholds.smallPacketBytes;
    return static_cast<double>(packets.packetSize) < limit;
}

double lossOf(const PacketFacts& packets, const FindingThresholds& thresholds) {
    return std::max(0.0, packets.mainTime - packets.mainBytes / usualBandwidth(thresholds, packets.transport));
}

/// What ranks lose on what they send to one other, by recording and group; the other one waits for as long.
class SmallSends {
public:
    SmallSends(const CaptureFacts& facts, const FindingThresholds& thresholds) {
        for (const RankFacts& rank : facts.ranks) {
            for (const PacketFacts& packets : rank.packets) {
                if (packets.receivedIn.empty() || packets.transport == "SDMA" || !isSmall(packets, thresholds))
                    continue;
                m_losses[{rank.recording, packets.receivedIn}][&rank][packets.step] += lossOf(packets, thresholds);
            }
        }
    }
    /// Adds what a rank waits for. Which of several sends to it is not known.
    void addReceived(const RankFacts& rank, StepLosses& to) const {
        for (const std::string& group : rank.receivesIn) {
            const auto known = m_losses.find({rank.recording, group});
            if (known == m_losses.end()) continue;
            const auto& senders = known->second;
            if (senders.size() - senders.count(&rank) != 1) continue;
            for (const auto& [sender, losses] : senders) {
                if (sender == &rank) continue;
                for (const auto& [step, ns] : losses) to[step] += ns;
            }
        }
    }

private:
    std::map<std::pair<std::uint32_t, std::string>, std::map<const RankFacts*, StepLosses>> m_losses;
};

SmallPacketSum smallPackets(const RankFacts& rank, const SmallSends& sends, const FindingThresholds& thresholds) {
    SmallPacketSum sum;
    for (const PacketFacts& packets : rank.packets) {
        // SDMA repeats the transports that it consists of.
        if (packets.transport == "SDMA") continue;
        addSaturated(sum.all, packets.time);
        if (!isSmall(packets, thresholds)) continue;
        addSaturated(sum.count, packets.count);
        addSaturated(sum.time, packets.time);
        sum.operators += packets.operators;
        sum.lost[packets.step] += lossOf(packets, thresholds);
    }
    sends.addReceived(rank, sum.lost);
    return sum;
}

}  // namespace

void findSmallPackets(RuleContext& context) {
    const SmallSends sends(context.facts, context.thresholds);
    const auto claim = claimOf(context, isClaimedBy("small_packets"));
    const auto worst =
        worstClaim(context, {&StepFacts::exposed, &StepFacts::bubble}, claim, [&](const RankFacts& rank) {
            const SmallPacketSum sum = smallPackets(rank, sends, context.thresholds);
            const bool many =
                static_cast<double>(sum.time) > context.thresholds.smallPacketShare * static_cast<double>(sum.all);
            return StepCost{many ? perStep(sum.lost) : 0, byStepOf(rank, sum.lost)};
        });
    // Where no step waits for them, data that is sent in pieces harms nobody.
    if (!worst || (claim && claim->recoverable == 0)) return;
    const SmallPacketSum sum = smallPackets(context.facts.ranks[worst->rank.value], sends, context.thresholds);
    Finding finding = claimFinding(context, "small_packets", worst->rank, claim, worst->time,
                                   {"small_packet_bytes", "small_network_packet_bytes", "small_packet_share",
                                    "fast_link_bandwidth", "network_bandwidth"});
    // Some for each peer are what a large group makes of little data; many are data cut to pieces.
    if (static_cast<double>(sum.count) <
        context.thresholds.smallPacketsPerOperator * static_cast<double>(sum.operators))
        lowerSeverity(finding, FindingSeverity::Low, "finding.note.few_packets");
    addParameter(finding, "count", std::to_string(sum.count));
    addParameter(finding, "packet_share", shareText(static_cast<double>(sum.time) / static_cast<double>(sum.all)));
    const auto limit = [](double bytes) { return std::to_string(static_cast<std::int64_t>(bytes)); };
    addRows(finding, "packet",
            "transport IS NOT 'SDMA' AND packet_size < iif(transport = 'RDMA', " +
                limit(context.thresholds.smallNetworkPacketBytes) + ", " + limit(context.thresholds.smallPacketBytes) +
                ")");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
