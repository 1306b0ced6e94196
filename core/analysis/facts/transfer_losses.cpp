#include "core/analysis/facts/transfer_losses.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <set>

namespace altiscope {

namespace {

constexpr std::int64_t kAligned = 512;

/// Whether packets go through the engine that copies whole blocks: all but those of the network. SDMA repeats the
/// transports that it consists of.
bool isInHost(const PacketFacts& packets) { return packets.transport != "RDMA" && packets.transport != "SDMA"; }
bool isUnaligned(const PacketFacts& packets) {
    return packets.packetSize > kAligned && packets.packetSize % kAligned != 0;
}

}  // namespace

std::map<std::string, double> alignedBandwidths(std::span<const RankFacts> ranks, const TransferLimits& limits) {
    std::map<std::string, std::pair<double, double>> sums;
    for (const RankFacts& rank : ranks) {
        for (const PacketFacts& packets : rank.packets) {
            if (!isInHost(packets) || isUnaligned(packets) ||
                static_cast<double>(packets.packetSize) < limits.smallPacketBytes)
                continue;
            sums[packets.transport].first += packets.mainBytes;
            sums[packets.transport].second += packets.mainTime;
        }
    }
    std::map<std::string, double> reached;
    for (const auto& [transport, sum] : sums) {
        if (sum.first > 0 && sum.second > 0)
            reached[transport] = std::min(sum.first / sum.second, limits.bandwidth(transport));
    }
    return reached;
}

UnalignedPackets unalignedPackets(const RankFacts& rank, const std::map<std::string, double>& reached,
                                  const TransferLimits& limits) {
    UnalignedPackets sum;
    for (const PacketFacts& packets : rank.packets) {
        if (!isInHost(packets)) continue;
        addSaturated(sum.all, packets.time);
        if (!isUnaligned(packets)) continue;
        addSaturated(sum.count, packets.count);
        addSaturated(sum.time, packets.time);
        const auto usual = reached.find(packets.transport);
        if (usual != reached.end() && static_cast<double>(packets.packetSize) >= limits.smallPacketBytes)
            sum.lost[packets.step] += std::max(0.0, packets.mainTime - packets.mainBytes / usual->second);
    }
    return sum;
}

LostPackets::LostPackets(std::span<const RankFacts> ranks, const TransferLimits& limits) : m_limits(limits) {
    for (const RankFacts& rank : ranks) {
        std::set<std::string> groups;
        for (const WaitFacts& waits : rank.waits) groups.insert(waits.group);
        for (const std::string& group : groups) ++m_sizes[{rank.recording, group}];
        std::set<GroupStep> own;
        for (const LongCollective& one : rank.longCollectives) {
            if (static_cast<double>(one.elapsed) >= limits.lostPacketNs)
                own.insert({rank.recording, one.group, one.step});
        }
        for (const GroupStep& key : own) ++m_longOn[key];
    }
}

std::vector<const LongCollective*> LostPackets::of(const RankFacts& rank) const {
    std::vector<const LongCollective*> lost;
    for (const LongCollective& one : rank.longCollectives) {
        if (static_cast<double>(one.networkTime) < m_limits.lostPacketNs) continue;
        const auto size = m_sizes.find({rank.recording, one.group});
        const std::size_t members = size == m_sizes.end() ? 0 : size->second;
        const auto known = m_longOn.find({rank.recording, one.group, one.step});
        if (known != m_longOn.end() && known->second >= members) lost.push_back(&one);
    }
    return lost;
}

double LostPackets::lossOf(const LongCollective& one) const {
    return std::max(0.0, static_cast<double>(std::min(one.networkTime, one.elapsed)) -
                             static_cast<double>(one.networkBytes) / m_limits.networkBandwidth);
}

StepLosses LostPackets::lossesOf(const RankFacts& rank) const {
    StepLosses losses;
    for (const LongCollective* one : of(rank)) losses[one->step] += lossOf(*one);
    return losses;
}

bool isContended(const ContentionFacts& facts, const TransferLimits& limits) {
    // Fewer have no usual bandwidth.
    constexpr std::uint64_t kFewest = 3;
    if (facts.beside < kFewest || facts.alone < kFewest || facts.aloneTime <= 0 || facts.besideTime <= 0 ||
        facts.aloneBytes <= 0)
        return false;
    const double beside = static_cast<double>(facts.besideBytes) / static_cast<double>(facts.besideTime),
                 alone = static_cast<double>(facts.aloneBytes) / static_cast<double>(facts.aloneTime);
    return beside < limits.contendedShare * alone;
}

std::vector<std::int64_t> contentionLosses(const ContentionFacts& facts) {
    std::vector<std::int64_t> byStep;
    const double usual = static_cast<double>(facts.aloneBytes) / static_cast<double>(facts.aloneTime);
    for (const ContentionFacts::InStep& step : facts.byStep) {
        const double lost = static_cast<double>(step.time) - static_cast<double>(step.bytes) / usual;
        byStep.push_back(std::clamp<std::int64_t>(saturatedRound(lost), 0, std::max<std::int64_t>(0, step.exposed)));
    }
    return byStep;
}

}  // namespace altiscope
