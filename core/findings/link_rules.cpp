#include "core/findings/rules.h"

#include "core/analysis/saturating.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

double bandwidth(std::int64_t size, std::int64_t time) { return time <= 0 ? 0 : static_cast<double>(size) / static_cast<double>(time); }

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
        StepLosses steps;
        for (; part != link.parts.end() && part->first == rank; ++part)
            steps[part->second->step] += std::max(0.0, static_cast<double>(part->second->time) - static_cast<double>(part->second->size) / usual);
        if (const std::int64_t lost = perStep(steps); lost > worst.second) worst = {rank, lost};
    }
    return worst;
}

}  // namespace

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

}  // namespace altiscope
