#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/communication/transfer_advice.h"
#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

constexpr std::int64_t kAligned = TransferAdvice::kAlignedBytes;
static_assert(FindingThresholds{}.lostPacketNs == static_cast<double>(TransferAdvice::kLostPacketNs));

/// Whether packets go through the engine that copies whole blocks: all but those of the network. SDMA repeats the
/// transports that it consists of.
bool isInHost(const PacketFacts& packets) { return packets.transport != "RDMA" && packets.transport != "SDMA"; }
bool isUnaligned(const PacketFacts& packets) {
    return packets.packetSize > kAligned && packets.packetSize % kAligned != 0;
}

/// What aligned packets reach, bytes/ns by transport; of packets that are not small.
std::map<std::string, double> alignedBandwidths(const RuleContext& context) {
    std::map<std::string, std::pair<double, double>> sums;
    for (const RankFacts& rank : context.facts.ranks) {
        for (const PacketFacts& packets : rank.packets) {
            if (!isInHost(packets) || isUnaligned(packets) ||
                static_cast<double>(packets.packetSize) < context.thresholds.smallPacketBytes)
                continue;
            sums[packets.transport].first += packets.mainBytes;
            sums[packets.transport].second += packets.mainTime;
        }
    }
    std::map<std::string, double> reached;
    for (const auto& [transport, sum] : sums) {
        if (sum.first > 0 && sum.second > 0)
            reached[transport] = std::min(sum.first / sum.second, usualBandwidth(context.thresholds, transport));
    }
    return reached;
}

struct UnalignedSum {
    StepLosses lost;
    std::int64_t count = 0, time = 0, all = 0;
};

UnalignedSum unalignedPackets(const RankFacts& rank, const std::map<std::string, double>& reached,
                              const FindingThresholds& thresholds) {
    UnalignedSum sum;
    for (const PacketFacts& packets : rank.packets) {
        if (!isInHost(packets)) continue;
        addSaturated(sum.all, packets.time);
        if (!isUnaligned(packets)) continue;
        addSaturated(sum.count, packets.count);
        addSaturated(sum.time, packets.time);
        const auto usual = reached.find(packets.transport);
        // What small ones lose is a finding of its own.
        if (usual != reached.end() && static_cast<double>(packets.packetSize) >= thresholds.smallPacketBytes)
            sum.lost[packets.step] += std::max(0.0, packets.mainTime - packets.mainBytes / usual->second);
    }
    return sum;
}

/// A group in one step, of a recording.
using GroupStep = std::tuple<std::uint32_t, std::string, std::optional<std::int64_t>>;

/// How many ranks that are here a group has, by recording.
using GroupSizes = std::map<std::pair<std::uint32_t, std::string>, std::size_t>;

GroupSizes groupSizes(const CaptureFacts& facts) {
    GroupSizes sizes;
    for (const RankFacts& rank : facts.ranks) {
        std::set<std::string> groups;
        for (const WaitFacts& waits : rank.waits) groups.insert(waits.group);
        for (const std::string& group : groups) ++sizes[{rank.recording, group}];
    }
    return sizes;
}

/// What a rank's collectives lost packets: those that took so long on all ranks of their group that are here.
std::vector<const LongCollective*> lostPackets(const RuleContext& context, const RankFacts& rank,
                                               const std::map<GroupStep, std::size_t>& longOn,
                                               const GroupSizes& sizes) {
    std::vector<const LongCollective*> lost;
    for (const LongCollective& one : rank.longCollectives) {
        if (static_cast<double>(one.networkTime) < context.thresholds.lostPacketNs) continue;
        const auto size = sizes.find({rank.recording, one.group});
        const std::size_t members = size == sizes.end() ? 0 : size->second;
        const auto known = longOn.find({rank.recording, one.group, one.step});
        if (known != longOn.end() && known->second >= members) lost.push_back(&one);
    }
    return lost;
}

StepLosses lossesOf(const RuleContext& context, const std::vector<const LongCollective*>& lost) {
    StepLosses losses;
    for (const LongCollective* one : lost)
        losses[one->step] +=
            std::max(0.0, static_cast<double>(std::min(one->networkTime, one->elapsed)) -
                              static_cast<double>(one->networkBytes) / context.thresholds.networkBandwidth);
    return losses;
}

/// What collectives of one type lose beside multiplications, by step; no more than what of them is exposed.
std::vector<std::int64_t> contentionLosses(const ContentionFacts& facts) {
    std::vector<std::int64_t> byStep;
    const double usual = static_cast<double>(facts.aloneBytes) / static_cast<double>(facts.aloneTime);
    for (const ContentionFacts::InStep& step : facts.byStep) {
        const double lost = static_cast<double>(step.time) - static_cast<double>(step.bytes) / usual;
        byStep.push_back(std::clamp<std::int64_t>(saturatedRound(lost), 0, std::max<std::int64_t>(0, step.exposed)));
    }
    return byStep;
}

bool isContended(const ContentionFacts& facts, const FindingThresholds& thresholds) {
    // Fewer have no usual bandwidth.
    constexpr std::uint64_t kFewest = 3;
    if (facts.beside < kFewest || facts.alone < kFewest || facts.aloneTime <= 0 || facts.besideTime <= 0 ||
        facts.aloneBytes <= 0)
        return false;
    const double beside = static_cast<double>(facts.besideBytes) / static_cast<double>(facts.besideTime),
                 alone = static_cast<double>(facts.aloneBytes) / static_cast<double>(facts.aloneTime);
    return beside < thresholds.contendedShare * alone;
}

std::int64_t lostPerStep(std::vector<std::int64_t> byStep) {
    Occurrences sum;
    sum.byStep = std::move(byStep);
    return sum.perAffectedStep();
}

}  // namespace

void findUnalignedPackets(RuleContext& context) {
    const std::map<std::string, double> reached = alignedBandwidths(context);
    const auto isMuch = [&](const UnalignedSum& sum) {
        return sum.time > 0 &&
               static_cast<double>(sum.time) > context.thresholds.unalignedPacketShare * static_cast<double>(sum.all);
    };
    const auto costly = worstCost(context.facts, {&StepFacts::exposed, &StepFacts::bubble}, [&](const RankFacts& rank) {
        const UnalignedSum sum = unalignedPackets(rank, reached, context.thresholds);
        return isMuch(sum) ? StepCost{perStep(sum.lost), byStepOf(rank, sum.lost)} : StepCost{};
    });
    // Those that cost most; where nothing of it is known, those that take longest.
    std::optional<RankIndex> worst;
    if (costly) worst = costly->rank;
    else {
        worst = worstRank(context.facts, [&](const RankFacts& rank) {
            const UnalignedSum sum = unalignedPackets(rank, reached, context.thresholds);
            return isMuch(sum) ? sum.time : 0;
        });
    }
    if (!worst) return;
    const UnalignedSum sum = unalignedPackets(context.facts.ranks[worst->value], reached, context.thresholds);
    const std::optional<std::int64_t> recoverable =
        sum.lost.empty() ? std::nullopt : std::optional<std::int64_t>(costly ? costly->time : 0);
    Finding finding = rankFinding(context, "unaligned_packets", *worst, recoverable,
                                  {"unaligned_packet_share", "small_packet_bytes", "fast_link_bandwidth"});
    addNote(finding, recoverable ? "finding.note.aligned_known" : "finding.note.aligned_unknown");
    addParameter(finding, "count", std::to_string(sum.count));
    addParameter(finding, "packet_share", shareText(static_cast<double>(sum.time) / static_cast<double>(sum.all)));
    addRows(finding, "packet", "transport NOT IN ('RDMA', 'SDMA') AND packet_size > 512 AND packet_size % 512 <> 0");
    context.findings.push_back(std::move(finding));
}

void findLostPackets(RuleContext& context) {
    const GroupSizes sizes = groupSizes(context.facts);
    std::map<GroupStep, std::size_t> longOn;  // ranks
    for (const RankFacts& rank : context.facts.ranks) {
        std::map<GroupStep, bool> own;
        for (const LongCollective& one : rank.longCollectives) {
            if (static_cast<double>(one.elapsed) >= context.thresholds.lostPacketNs)
                own[{rank.recording, one.group, one.step}] = true;
        }
        for (const auto& [key, isLong] : own) ++longOn[key];
    }
    const auto worst = worstCost(context.facts, {&StepFacts::exposed, &StepFacts::bubble}, [&](const RankFacts& rank) {
        const StepLosses losses = lossesOf(context, lostPackets(context, rank, longOn, sizes));
        return StepCost{perStep(losses), byStepOf(rank, losses)};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    const std::vector<const LongCollective*> lost = lostPackets(context, rank, longOn, sizes);
    const LongCollective& longest = **std::max_element(
        lost.begin(), lost.end(), [](const auto* a, const auto* b) { return a->networkTime < b->networkTime; });
    Finding finding =
        rankFinding(context, "lost_packets", worst->rank, worst->time, {"lost_packet", "network_bandwidth"});
    // Seconds in which the whole job stands still, whatever part of them the recording shows.
    finding.severity = FindingSeverity::High;
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
    const auto worst = worstCost(context.facts, {&StepFacts::exposed}, [&](const RankFacts& rank) {
        std::vector<std::int64_t> byStep(rank.steps.size());
        for (const ContentionFacts& facts : rank.contention) {
            if (!isContended(facts, context.thresholds)) continue;
            const std::vector<std::int64_t> lost = contentionLosses(facts);
            for (std::size_t i = 0; i < std::min(lost.size(), byStep.size()); ++i) addSaturated(byStep[i], lost[i]);
        }
        const std::int64_t each = lostPerStep(byStep);
        return each > 0 ? StepCost{each, byStep} : StepCost{};
    });
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[worst->rank.value];
    const ContentionFacts* most = nullptr;
    for (const ContentionFacts& facts : rank.contention) {
        if (!isContended(facts, context.thresholds)) continue;
        if (most == nullptr || most->besideTime < facts.besideTime) most = &facts;
    }
    Finding finding = rankFinding(context, "contention", worst->rank, worst->time, {"contended_share"});
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
