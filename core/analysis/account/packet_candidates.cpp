#include "core/analysis/account/candidates.h"
#include "core/analysis/communication/transfer_advice.h"

#include <algorithm>
#include <set>

namespace altiscope {

namespace {

/// Less than this is what transfers differ by anyhow.
constexpr double kSlowPackets = 0.8;

}  // namespace

double shareInLargePackets(const RankFacts& rank) {
    double all = 0, small = 0, ideal = 0;
    for (const PacketFacts& packets : rank.packets) {
        if (packets.transport == "SDMA") continue;  // repeats the transports that it consists of
        const bool isRemote = packets.transport == "RDMA";
        all += packets.mainTime;
        if (packets.packetSize >= (isRemote ? TransferAdvice::kSmallRemotePacket : TransferAdvice::kSmallPacket))
            continue;
        small += packets.mainTime;
        ideal += std::min(packets.mainTime, packets.mainBytes / (isRemote ? TransferAdvice::kUsualRemoteBandwidth
                                                                          : TransferAdvice::kUsualBandwidth));
    }
    if (all <= 0 || small <= TransferAdvice::kSmallShare * all) return 1;
    return (all - small + ideal) / all;
}

void addPacketCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found) {
    std::vector<double> shares;
    for (const RankFacts& rank : input.facts) shares.push_back(shareInLargePackets(rank));
    CauseCandidate candidate;
    candidate.cause = Cause::Transfer;
    candidate.kind = CauseKind::SmallPackets;
    std::set<std::uint32_t> ranks;
    const JobCollectives& all = input.collectives;
    for (std::uint32_t i = 0; i < all.instances.size(); ++i) {
        const CollectiveInstance& instance = all.instances[i];
        if (input.job.groupNode[i] == kNoNode || !instance.isComplete) continue;
        double share = 0;
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m)
            share = std::max(share, shares[all.members[m].rank.value]);
        if (share >= kSlowPackets) continue;
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            const std::uint32_t edge = input.job.memberEdge[m];
            if (edge == kNoNode || input.job.weight[edge] <= 0) continue;
            const auto ns = static_cast<std::int64_t>(static_cast<double>(input.job.weight[edge]) * (1 - share));
            const auto [rank, c] = all.members[m];
            candidate.changes.push_back({edge, true, -ns});
            ranks.insert(rank.value);
            keepSlice(candidate, *input.capture.ranks[rank.value].trace, rank,
                      input.graphs[rank.value]->collectives[c].slice, ns);
        }
    }
    for (const std::uint32_t r : ranks) candidate.ranks.push_back(rankIndex(r));
    if (candidate.total() > 0) found.push_back(std::move(candidate));
}

}  // namespace altiscope
