#include "core/findings/claims.h"
#include "core/findings/rules.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <bit>
#include <iterator>
#include <map>
#include <optional>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

double bandwidth(std::int64_t size, std::int64_t time) {
    return time <= 0 ? 0 : static_cast<double>(size) / static_cast<double>(time);
}

/// A pair of ranks of one recording, whatever the direction, and how they are connected.
using LinkKey = std::tuple<std::string, std::int64_t, std::int64_t, std::uint32_t>;

LinkKey keyOf(const LinkFacts& link, std::uint32_t recording) {
    return {link.transport, std::min(link.source, link.target), std::max(link.source, link.target), recording};
}

/// Transfers that can be compared with each other: what they are for, whether they leave the host, and how much they
/// move (power of two). Other recordings may be of other machines.
struct LinkClass {
    std::string transport, operation, groupKind;
    bool isRemote = false;
    int sizeClass = 0;
    std::uint32_t recording = 0;
    bool operator<(const LinkClass& other) const { return tied() < other.tied(); }

private:
    std::tuple<const std::string&, const std::string&, const std::string&, bool, int, std::uint32_t> tied() const {
        return {transport, operation, groupKind, isRemote, sizeClass, recording};
    }
};

/// Classes up to this one move less than 1 MiB.
constexpr int kSmallSizeClass = std::bit_width(static_cast<std::uint64_t>(kContendedBytes)) - 1;

/// Numbers that all ranks state of one link, for transfers of one class.
struct LinkTotals {
    std::int64_t size = 0, time = 0;                            ///< bytes, ns
    std::vector<std::pair<RankIndex, const LinkFacts*>> parts;  ///< By rank.
    double reached() const { return bandwidth(size, time); }
};

class LinkClasses {
public:
    explicit LinkClasses(const CaptureFacts& facts) {
        for (const RankFacts& rank : facts.ranks) {
            if (rank.rankId && !rank.host.empty()) m_hosts.emplace(std::pair(rank.recording, *rank.rankId), rank.host);
        }
        for (RankIndex r; r.value < facts.ranks.size(); ++r.value) {
            const std::uint32_t recording = facts.ranks[r.value].recording;
            for (const LinkFacts& link : facts.ranks[r.value].links) {
                LinkTotals& sum = m_classes[classOf(link, recording)][keyOf(link, recording)];
                addSaturated(sum.size, link.size);
                addSaturated(sum.time, link.time);
                sum.parts.emplace_back(r, &link);
            }
        }
    }
    const std::map<LinkClass, std::map<LinkKey, LinkTotals>>& all() const { return m_classes; }

private:
    LinkClass classOf(const LinkFacts& link, std::uint32_t recording) const {
        const auto from = m_hosts.find({recording, link.source}), to = m_hosts.find({recording, link.target});
        const bool isRemote = from != m_hosts.end() && to != m_hosts.end() && from->second != to->second;
        const auto size = static_cast<std::uint64_t>(std::max<std::int64_t>(0, link.size));
        return {link.transport, link.operation, link.groupKind, isRemote, static_cast<int>(std::bit_width(size)),
                recording};
    }

    std::map<std::pair<std::uint32_t, std::int64_t>, std::string> m_hosts;  // by recording and number
    std::map<LinkClass, std::map<LinkKey, LinkTotals>> m_classes;
};

/// Links that a link is compared with.
struct UsualLink {
    double bandwidth = 0;  ///< bytes/ns
    /// Links that it is the median of; 0: none is like it, and the transport's own bandwidth stands for them.
    std::size_t others = 0;
};

std::optional<UsualLink> usualOf(const RuleContext& context, const std::map<LinkKey, LinkTotals>& links,
                                 const LinkKey& key, const LinkTotals& link) {
    std::vector<double> others;
    for (const auto& [otherKey, other] : links) {
        if (otherKey != key) others.push_back(other.reached());
    }
    const double reference = usualBandwidth(context.thresholds, std::get<0>(key));
    if (others.empty()) {
        // With little data the start of each transfer takes most of the time, and small packets are another finding.
        constexpr std::int64_t kMuch = 16'000'000;
        const bool packetsExplain = std::any_of(context.findings.begin(), context.findings.end(),
                                                [](const Finding& f) { return f.rule == RuleName("small_packets"); });
        if (packetsExplain || link.size < kMuch) return std::nullopt;
        return UsualLink{reference, 0};
    }
    const std::size_t count = others.size();
    const double usual = median(std::move(others));
    // With two links nobody knows which is the usual one.
    return UsualLink{count == 1 ? std::min(usual, reference) : usual, count};
}

/// A link that is slow: what it loses, by rank and step, and where it is slowest.
struct SlowLink {
    std::map<RankIndex, StepLosses> losses;
    double reached = 0;
    UsualLink usual;
    const LinkClass* of = nullptr;
    std::int64_t size = 0;
    double most = 0;  ///< ns; lost in the class that `of` names.
};

std::map<LinkKey, SlowLink> slowLinks(const RuleContext& context, const LinkClasses& classes) {
    std::map<LinkKey, SlowLink> slow;
    for (const auto& [like, links] : classes.all()) {
        if (context.cancel.cancelled()) return slow;
        // With less data the start of each transfer takes most of the time: that is no bandwidth.
        if (like.sizeClass <= kSmallSizeClass) continue;
        // With many links the median is the same without any one of them.
        constexpr std::size_t kMany = 16;
        std::vector<double> all;
        for (const auto& [key, link] : links) all.push_back(link.reached());
        const double middle = median(std::move(all));
        for (const auto& [key, link] : links) {
            const auto usual = links.size() > kMany ? std::optional(UsualLink{middle, links.size() - 1})
                                                    : usualOf(context, links, key, link);
            if (!usual || link.reached() <= 0 || link.reached() >= context.thresholds.slowLinkShare * usual->bandwidth)
                continue;
            SlowLink& found = slow[key];
            double lost = 0;
            for (const auto& [rank, part] : link.parts) {
                const double here =
                    std::max(0.0, static_cast<double>(part->time) - static_cast<double>(part->size) / usual->bandwidth);
                found.losses[rank][part->step] += here;
                lost += here;
            }
            if (lost < found.most) continue;
            found.most = lost;
            found.reached = link.reached();
            found.usual = *usual;
            found.of = &like;
            found.size = link.size / static_cast<std::int64_t>(std::max<std::size_t>(1, link.parts.size()));
        }
    }
    return slow;
}

/// Whether a cause of the account is the link between two ranks, or a group of theirs of which no link is recorded.
bool isBetween(const CaptureFacts& facts, const CauseFacts& cause, std::int64_t low, std::int64_t high) {
    const auto numberOf = [&](RankIndex rank) { return facts.ranks[rank.value].rankId; };
    const auto has = [&](std::int64_t number) {
        return std::any_of(cause.ranks.begin(), cause.ranks.end(),
                           [&](RankIndex rank) { return numberOf(rank) == number; });
    };
    if (!cause.link) return has(low) && has(high);
    const auto one = numberOf(cause.link->first), other = numberOf(cause.link->second);
    return one && other && std::minmax(*one, *other) == std::minmax(low, high);
}

/// A slow link, and the rank that loses most on it.
struct CostlyLink {
    const LinkKey* key = nullptr;
    const SlowLink* link = nullptr;
    RankIndex rank{};
    std::int64_t lost = 0;  ///< ns per step
};

}  // namespace

void findSlowLinks(RuleContext& context) {
    const LinkClasses classes(context.facts);
    const std::map<LinkKey, SlowLink> slow = slowLinks(context, classes);
    std::vector<CostlyLink> ranked;
    for (const auto& [key, link] : slow) {
        CostlyLink worst{&key, &link};
        for (const auto& [rank, losses] : link.losses) {
            if (const std::int64_t lost = perStep(losses); lost > worst.lost) worst.rank = rank, worst.lost = lost;
        }
        // A bandwidth says nothing about tiny transfers.
        const std::int64_t step = meanStep(context.facts.ranks[worst.rank.value]);
        if (worst.lost > 0 &&
            static_cast<double>(worst.lost) >= context.thresholds.slowLinkStepShare * static_cast<double>(step))
            ranked.push_back(worst);
    }
    std::stable_sort(ranked.begin(), ranked.end(),
                     [](const CostlyLink& a, const CostlyLink& b) { return a.lost > b.lost; });
    // Where many are slow the worst ones tell enough; the others are rows of the table.
    constexpr std::size_t kShown = 10;
    if (ranked.size() > kShown) ranked.resize(kShown);
    std::set<std::pair<std::int64_t, std::int64_t>> said;  // several classes of transfers may show one link
    for (const CostlyLink& worst : ranked) {
        const auto& [transport, low, high, recording] = *worst.key;
        const SlowLink& link = *worst.link;
        const RankFacts& rank = context.facts.ranks[worst.rank.value];
        // Links of one rank share what it waits.
        const std::int64_t before = saidOf(context, worst.rank, {"slow_link"});
        const std::int64_t atMost =
            limitedCost(rank, {saturatedSum(worst.lost, before), byStepOf(rank, link.losses.at(worst.rank))},
                        {&StepFacts::exposed, &StepFacts::bubble}) -
            before;
        const auto claim = claimOf(context, [&context, one = low, other = high](const CauseFacts& cause) {
            return isClaimedBy("slow_link")(cause) && isBetween(context.facts, cause, one, other);
        });
        // Hidden, or the links before lose all that there is to lose.
        if (claim ? claim->recoverable == 0 || !said.insert({low, high}).second : atMost <= 0) continue;
        Finding finding =
            claimFinding(context, "slow_link", worst.rank, claim, atMost,
                         {"slow_link_share", "slow_link_step_share", "fast_link_bandwidth", "network_bandwidth"});
        addParameter(finding, "source", std::to_string(low));
        addParameter(finding, "target", std::to_string(high));
        addParameter(finding, "transport", transport);
        addParameter(finding, "bandwidth", bandwidthText(link.reached));
        addParameter(finding, "usual", bandwidthText(link.usual.bandwidth));
        addParameter(finding, "others", std::to_string(link.usual.others));
        addParameter(finding, "operation", link.of->operation.empty() ? "N/A" : link.of->operation);
        addParameter(finding, "group", link.of->groupKind.empty() ? "N/A" : link.of->groupKind);
        addParameter(finding, "size", transferText(link.size));
        addNote(finding, link.usual.others > 0 ? "finding.note.like_links" : "finding.note.no_like_links");
        addRows(finding, "link",
                "selection IN ('total', 'single') AND src_rank IN (" + std::to_string(low) + ", " +
                    std::to_string(high) + ") AND dst_rank IN (" + std::to_string(low) + ", " + std::to_string(high) +
                    ") AND src_rank <> dst_rank AND transport = " + sqlLiteral(transport));
        context.findings.push_back(std::move(finding));
    }
}

}  // namespace altiscope
