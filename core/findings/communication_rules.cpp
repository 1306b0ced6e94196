#include "core/analysis/saturating.h"
#include "core/findings/rules.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

double usualBandwidth(const FindingThresholds& thresholds, std::string_view transport) {
    return transport == "RDMA" ? thresholds.networkBandwidth : thresholds.fastLinkBandwidth;
}

double bandwidth(std::int64_t size, std::int64_t time) { return time <= 0 ? 0 : static_cast<double>(size) / static_cast<double>(time); }

/// Mean over the steps that have any.
std::int64_t perStep(const std::map<std::optional<std::int64_t>, double>& steps) {
    double sum = 0;
    std::size_t affected = 0;
    for (const auto& [step, ns] : steps) {
        sum += ns;
        affected += ns > 0 ? 1 : 0;
    }
    return affected == 0 ? 0 : saturatedRound(sum / static_cast<double>(affected));
}

/// A pair of ranks, whatever the direction, and how they are connected.
using LinkKey = std::tuple<std::string, std::int64_t, std::int64_t>;

LinkKey keyOf(const LinkFacts& link) {
    return {link.transport, std::min(link.source, link.target), std::max(link.source, link.target)};
}

/// What all ranks tell of one link.
struct LinkSum {
    std::int64_t size = 0, time = 0;  ///< bytes, ns
    std::vector<std::pair<std::size_t, const LinkFacts*>> parts;  ///< By rank (place in the facts).
};

std::map<LinkKey, LinkSum> linkSums(const CaptureFacts& facts) {
    std::map<LinkKey, LinkSum> sums;
    for (std::size_t r = 0; r < facts.ranks.size(); ++r) {
        for (const LinkFacts& link : facts.ranks[r].links) {
            LinkSum& sum = sums[keyOf(link)];
            addSaturated(sum.size, link.size);
            addSaturated(sum.time, link.time);
            sum.parts.emplace_back(r, &link);
        }
    }
    return sums;
}

/// The rank that loses most time on a slow link, and how much of a step: against the usual bandwidth.
std::pair<std::size_t, std::int64_t> worstLoss(const LinkSum& link, double usual) {
    std::pair<std::size_t, std::int64_t> worst{0, 0};
    for (auto part = link.parts.begin(); part != link.parts.end();) {
        const std::size_t rank = part->first;
        std::map<std::optional<std::int64_t>, double> steps;
        for (; part != link.parts.end() && part->first == rank; ++part)
            steps[part->second->step] += std::max(0.0, static_cast<double>(part->second->time) - static_cast<double>(part->second->size) / usual);
        if (const std::int64_t lost = perStep(steps); lost > worst.second) worst = {rank, lost};
    }
    return worst;
}

struct SmallPacketSum {
    std::map<std::optional<std::int64_t>, double> lost;  ///< ns by step
    std::int64_t count = 0, time = 0, all = 0, operators = 0;
};

/// What is lost on small packets in each step, ns.
using StepLosses = std::map<std::optional<std::int64_t>, double>;

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
                if (packets.receivedIn.empty() || packets.transport == "SDMA" || !isSmall(packets, thresholds)) continue;
                m_losses[{rank.recording, packets.receivedIn}][&rank][packets.step] += lossOf(packets, thresholds);
            }
        }
    }
    /// Adds what a rank waits for. Who of several sends to it is not told.
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

/// Adds what something costs in each step.
void addSteps(Occurrences& to, const Occurrences& part) {
    to.byStep.resize(std::max(to.byStep.size(), part.byStep.size()));
    for (std::size_t step = 0; step < part.byStep.size(); ++step) addSaturated(to.byStep[step], part.byStep[step]);
}

/// Gradients can be reduced while the backward pass goes on; data of tensor and pipeline groups is waited for.
bool canHide(const CollectiveFacts& collectives) {
    if (collectives.isPeerToPeer) return false;
    const std::string& type = collectives.parallelType;
    return type.empty() || type.starts_with("dp") || type.starts_with("edp") || type.starts_with("default");
}

}  // namespace

void findSmallPackets(RuleContext& context) {
    const SmallSends sends(context.facts, context.thresholds);
    const auto lost = [&](const RankFacts& rank) {
        const SmallPacketSum sum = smallPackets(rank, sends, context.thresholds);
        const bool many = static_cast<double>(sum.time) > context.thresholds.smallPacketShare * static_cast<double>(sum.all);
        return many ? perStep(sum.lost) : std::int64_t{0};
    };
    const auto worst = worstCause(context, "small_packets", lost);
    if (!worst) return;
    const SmallPacketSum sum = smallPackets(context.facts.ranks[*worst], sends, context.thresholds);
    Finding finding = rankFinding(context, "small_packets", *worst, lost(context.facts.ranks[*worst]),
                                  {"small_packet_bytes", "small_network_packet_bytes", "small_packet_share", "fast_link_bandwidth",
                                   "network_bandwidth"});
    // Some for each peer are what a large group makes of little data; many are data cut to pieces.
    if (static_cast<double>(sum.count) < context.thresholds.smallPacketsPerOperator * static_cast<double>(sum.operators))
        finding.severity = FindingSeverity::Low;
    addParameter(finding, "count", std::to_string(sum.count));
    addParameter(finding, "packet_share", shareText(static_cast<double>(sum.time) / static_cast<double>(sum.all)));
    addRows(finding, "packet", "packet_size < " + std::to_string(static_cast<std::int64_t>(context.thresholds.smallPacketBytes)));
    context.findings.push_back(std::move(finding));
}

void findSlowLinks(RuleContext& context) {
    const auto sums = linkSums(context.facts);
    std::map<std::string_view, std::vector<double>> byTransport;
    for (const auto& [key, sum] : sums) byTransport[std::get<0>(key)].push_back(bandwidth(sum.size, sum.time));
    std::vector<Finding> found;
    std::vector<std::int64_t>& costs = context.costs["slow_link"];
    costs.resize(context.facts.ranks.size());
    const bool packetsExplain = std::any_of(context.findings.begin(), context.findings.end(), [](const Finding& f) { return f.rule == "small_packets"; });
    for (const auto& [key, sum] : sums) {
        const auto& [transport, low, high] = key;
        const std::vector<double>& all = byTransport[transport];
        // Few links cannot be held against each other; what the transport reaches stands for the others.
        constexpr std::size_t kFew = 3;
        if (all.size() < kFew && packetsExplain) continue;
        const double usual = all.size() < kFew ? usualBandwidth(context.thresholds, transport) : median(all);
        const double reached = bandwidth(sum.size, sum.time);
        if (reached <= 0 || reached >= context.thresholds.slowLinkShare * usual) continue;
        const auto [rank, lost] = worstLoss(sum, usual);
        // Of tiny transfers a bandwidth says nothing.
        if (static_cast<double>(lost) < context.thresholds.slowLinkStepShare * static_cast<double>(meanStep(context.facts.ranks[rank]))) continue;
        if (lost == 0) continue;
        Finding finding = rankFinding(context, "slow_link", rank, lost,
                                      {"slow_link_share", "slow_link_step_share", "fast_link_bandwidth", "network_bandwidth"});
        addParameter(finding, "source", std::to_string(low));
        addParameter(finding, "target", std::to_string(high));
        addParameter(finding, "transport", transport);
        // bytes/ns are GB/s.
        addParameter(finding, "bandwidth", shareText(reached / 100).substr(0, shareText(reached / 100).find(' ')) + " GB/s");
        addParameter(finding, "usual", shareText(usual / 100).substr(0, shareText(usual / 100).find(' ')) + " GB/s");
        addRows(finding, "link", "selection = 'total' AND src_rank IN (" + std::to_string(low) + ", " + std::to_string(high) +
                                     ") AND dst_rank IN (" + std::to_string(low) + ", " + std::to_string(high) + ")");
        found.push_back(std::move(finding));
        costs[rank] = std::max(costs[rank], lost);
    }
    // Where many are slow the worst ones tell enough; the others are rows of the table.
    constexpr std::size_t kShown = 10;
    std::stable_sort(found.begin(), found.end(), [](const Finding& a, const Finding& b) { return a.recoverable > b.recoverable; });
    if (found.size() > kShown) found.resize(kShown);
    std::move(found.begin(), found.end(), std::back_inserter(context.findings));
}

void findExposedCommunication(RuleContext& context) {
    struct Sum {
        std::int64_t exposed = 0, all = 0;
        const CollectiveFacts* most = nullptr;
    };
    const auto sumOf = [](const RankFacts& rank) {
        Sum sum;
        Occurrences exposed, all;
        for (const CollectiveFacts& collectives : rank.collectives) {
            if (!canHide(collectives)) continue;
            addSteps(exposed, collectives.exposed);
            addSteps(all, collectives.all);
            if (sum.most == nullptr || sum.most->exposed.total < collectives.exposed.total) sum.most = &collectives;
        }
        sum.exposed = exposed.perAffectedStep();
        sum.all = all.perAffectedStep();
        return sum;
    };
    // At most what is exposed at all (groups run side by side), and what computing is left to hide it behind.
    const auto lost = [&](const RankFacts& rank) {
        const std::int64_t alone = meanOfSteps(rank, &StepFacts::notOverlapped);
        const std::int64_t overlapped = saturatedDifference(meanOfSteps(rank, &StepFacts::communication), alone);
        const std::int64_t room = saturatedDifference(meanOfSteps(rank, &StepFacts::computing), overlapped);
        // One waits for what holds up others; links and packets hold up both of their ends.
        const auto place = static_cast<std::size_t>(&rank - context.facts.ranks.data());
        const std::int64_t links = std::max(costOn(context, place, {"slow_link"}), costOnOthers(context, place, {"slow_link"}));
        const std::int64_t packets = std::max(costOn(context, place, {"small_packets"}), costOnOthers(context, place, {"small_packets"}));
        const std::int64_t explained = saturatedSum(saturatedSum(links, packets), costOnOthers(context, place, {"slow_rank", "gc_pause"}));
        return std::max<std::int64_t>(0, std::min({saturatedDifference(sumOf(rank).exposed, explained), alone, room}));
    };
    const auto worst = worstRank(context.facts, lost);
    if (!worst) return;
    const RankFacts& rank = context.facts.ranks[*worst];
    const Sum sum = sumOf(rank);
    Finding finding = rankFinding(context, "exposed_communication", *worst, lost(rank), {"hidden_share"});
    // Where much of it does hide, the rest is what the model and the network leave: worth knowing, hardly a fault.
    const double hidden = 1 - static_cast<double>(sum.exposed) / static_cast<double>(std::max<std::int64_t>(1, sum.all));
    if (hidden >= context.thresholds.hiddenShare) finding.severity = FindingSeverity::Low;
    addParameter(finding, "exposed", timeText(sum.exposed));
    addParameter(finding, "all", timeText(sum.all));
    addParameter(finding, "hidden", shareText(std::max(0.0, hidden)));
    addParameter(finding, "not_overlapped", timeText(meanOfSteps(rank, &StepFacts::notOverlapped)));
    addSlices(finding, sum.most->exposed);
    addRows(finding, "step_breakdown", "");
    context.findings.push_back(std::move(finding));
}

}  // namespace altiscope
