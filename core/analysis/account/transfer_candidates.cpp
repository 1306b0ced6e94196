#include "core/analysis/account/candidates.h"
#include "core/analysis/account/median.h"
#include "core/analysis/facts/transfer_losses.h"

#include <algorithm>
#include <map>
#include <set>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// A link is slow below this share of its like; smaller differences are those of every network.
constexpr double kSlowLink = 0.8;
/// In less no bandwidth shows: what each transfer costs by itself takes most of the time.
constexpr std::int64_t kLargeTransfer = 1'048'576;

struct LinkSpeed {
    std::int64_t source = 0, target = 0;
    double size = 0, time = 0;
    double speed() const { return size / time; }
};

/// Links that should be equally fast: of one transport, for one kind of group.
using LinkKind = std::tuple<std::string, std::string>;
using LinkSpeeds = std::map<std::pair<std::int64_t, std::int64_t>, LinkSpeed>;  // by its ends

/// Whether all of some links are between the same two ranks: nothing is like them.
bool isOnePair(const LinkSpeeds& links) {
    const std::pair<std::int64_t, std::int64_t> first = links.begin()->first, back{first.second, first.first};
    return std::all_of(links.begin(), links.end(),
                       [&](const auto& one) { return one.first == first || one.first == back; });
}

/// What links of one kind reach, bytes/ns; where nothing is like them, what much data reaches on their transport in
/// large packets, and nullopt otherwise.
std::optional<double> usualSpeed(const CandidateInput& input, const std::string& transport, const LinkSpeeds& links) {
    if (isOnePair(links)) {
        constexpr double kMuch = 16'000'000;
        double largest = 0;
        for (const auto& [ends, link] : links) largest = std::max(largest, link.size);
        const bool isInLargePackets = std::all_of(input.facts.begin(), input.facts.end(), [](const RankFacts& rank) {
            return shareInLargePackets(rank) >= kSlowLink;
        });
        if (largest < kMuch || !isInLargePackets) return std::nullopt;
        return TransferLimits{}.bandwidth(transport);
    }
    std::vector<double> speeds;
    for (const auto& [ends, link] : links) speeds.push_back(link.speed());
    std::sort(speeds.begin(), speeds.end());
    return speeds[speeds.size() / 2];
}

std::map<LinkKind, LinkSpeeds> linkSpeeds(const CandidateInput& input) {
    std::map<LinkKind, LinkSpeeds> links;
    for (const RankFacts& rank : input.facts) {
        for (const LinkFacts& link : rank.links) {
            if (link.time <= 0 || link.size < kLargeTransfer || link.source == link.target) continue;
            LinkSpeed& sum = links[{link.transport, link.groupKind}][{link.source, link.target}];
            sum.source = link.source;
            sum.target = link.target;
            sum.size += static_cast<double>(link.size);
            sum.time += static_cast<double>(link.time);
        }
    }
    return links;
}

/// The members of a group that are here, and its instances.
struct GroupTransfers {
    std::set<std::size_t> ranks;
    std::vector<std::uint32_t> instances;
};

class TransferReader {
public:
    explicit TransferReader(const CandidateInput& input) : m_input(input), m_links(linkSpeeds(input)) {
        const JobCollectives& all = input.collectives;
        for (std::uint32_t i = 0; i < all.instances.size(); ++i) {
            const CollectiveInstance& instance = all.instances[i];
            if (input.job.groupNode[i] == kNoNode || !instance.isComplete) continue;
            const CollectiveMember& first = all.members[instance.firstMember];
            GroupTransfers& group = m_groups[all.groups[first.rank.value][first.collective]];
            group.instances.push_back(i);
            for (std::uint32_t m = 0; m < instance.memberCount; ++m)
                group.ranks.insert(all.members[instance.firstMember + m].rank.value);
        }
    }

    void read(std::vector<CauseCandidate>& found) {
        if (m_links.empty()) readLikes();
        for (const auto& [name, group] : m_groups) {
            if (name.empty()) continue;
            CauseCandidate candidate;
            candidate.cause = Cause::Transfer;
            candidate.kind = CauseKind::Link;
            candidate.group = candidate.name = name;
            const std::optional<double> byLink = m_links.empty() ? std::nullopt : slowestShare(group, candidate);
            addChanges(group, byLink, candidate);
            if (candidate.total() > 0) found.push_back(std::move(candidate));
        }
    }

private:
    std::optional<double> slowestShare(const GroupTransfers& group, CauseCandidate& candidate) const;
    void readLikes();
    void addChanges(const GroupTransfers& group, std::optional<double> share, CauseCandidate& candidate) const;
    const std::string& whatOf(std::uint32_t instance) const { return m_input.collectives.instances[instance].what; }
    std::int64_t transferOf(std::uint32_t instance) const;

    const CandidateInput& m_input;
    std::map<LinkKind, LinkSpeeds> m_links;
    std::map<std::string, GroupTransfers> m_groups;
    std::map<std::string, std::map<std::string, std::int64_t>> m_medians;  // by what and group, ns
};

/// The bandwidth of a group's slowest link as a share of what is usual for it; nullopt if it is not slow.
std::optional<double> TransferReader::slowestShare(const GroupTransfers& group, CauseCandidate& candidate) const {
    std::optional<double> slowest;
    std::map<std::int64_t, std::size_t> placeOf;
    for (const std::size_t r : group.ranks) {
        if (m_input.facts[r].rankId) placeOf.emplace(*m_input.facts[r].rankId, r);
    }
    for (const auto& [kind, links] : m_links) {
        const std::optional<double> usual = usualSpeed(m_input, std::get<0>(kind), links);
        for (const auto& [ends, link] : links) {
            const auto source = placeOf.find(link.source), target = placeOf.find(link.target);
            if (!usual || source == placeOf.end() || target == placeOf.end()) continue;
            const double share = link.speed() / *usual;
            if (share >= kSlowLink || (slowest && share >= *slowest)) continue;
            slowest = share;
            candidate.isUncertain = isOnePair(links);
            candidate.link = {rankIndex(source->second), rankIndex(target->second)};
        }
    }
    return slowest;
}

/// The longest of its members': none of them is done before.
std::int64_t TransferReader::transferOf(std::uint32_t i) const {
    const CollectiveInstance& instance = m_input.collectives.instances[i];
    std::int64_t longest = 0;
    for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
        const std::uint32_t edge = m_input.job.memberEdge[m];
        if (edge != kNoNode) longest = std::max(longest, m_input.job.weight[edge]);
    }
    return longest;
}

void TransferReader::readLikes() {
    std::map<std::string, std::map<std::string, std::vector<std::int64_t>>> lengths;
    for (const auto& [name, group] : m_groups) {
        for (const std::uint32_t i : group.instances) lengths[whatOf(i)][name].push_back(transferOf(i));
    }
    for (auto& [what, byGroup] : lengths) {
        for (auto& [name, values] : byGroup) m_medians[what][name] = upperMedian(values);
    }
}

void TransferReader::addChanges(const GroupTransfers& group, std::optional<double> share,
                                CauseCandidate& candidate) const {
    if (!m_links.empty() && !share) return;
    for (const std::uint32_t i : group.instances) {
        double ratio = share.value_or(1);
        if (!share) {
            const auto likes = m_medians.find(whatOf(i));
            std::vector<std::int64_t> others;
            for (const auto& [name, length] : likes->second) {
                if (name != candidate.group) others.push_back(length);
            }
            const std::int64_t own = likes->second.at(candidate.group);
            if (others.empty() || own <= 0) continue;
            ratio = static_cast<double>(upperMedian(others)) / static_cast<double>(own);
            if (ratio >= kSlowLink) continue;
        }
        const CollectiveInstance& instance = m_input.collectives.instances[i];
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            const std::uint32_t edge = m_input.job.memberEdge[m];
            if (edge == kNoNode || m_input.job.weight[edge] <= 0) continue;
            const auto ns = static_cast<std::int64_t>(static_cast<double>(m_input.job.weight[edge]) * (1 - ratio));
            candidate.changes.push_back({edge, true, -ns});
            if (m != instance.firstMember + instance.late) continue;
            const auto [rank, c] = m_input.collectives.members[m];
            keepSlice(candidate, *m_input.capture.ranks[rank.value].trace, rank,
                      m_input.graphs[rank.value]->collectives[c].slice, ns);
        }
    }
    if (candidate.changes.empty()) return;
    if (candidate.link) {
        candidate.ranks = {candidate.link->first, candidate.link->second};
        return;
    }
    for (const std::size_t r : group.ranks) candidate.ranks.push_back(rankIndex(r));
}

/// All that ranks explain which are not here: which of them is late is not known apart.
void addAbsent(const CandidateInput& input, std::vector<CauseCandidate>& found) {
    CauseCandidate candidate;
    candidate.cause = Cause::Absent;
    const JobCollectives& all = input.collectives;
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (!input.graphs[r]) continue;
        const RankGraph& graph = *input.graphs[r];
        for (std::uint32_t c = 0; c < graph.collectives.size(); ++c) {
            const CollectiveShare& share = all.shares[r][c];
            const std::int64_t ns = share.transferBegin - share.arrived;
            if (!share.isAbsent || ns <= 0 || graph.collectives[c].departure == kNoNode) continue;
            const GraphNode& departure = graph.nodes[graph.collectives[c].departure];
            const std::uint32_t edge = input.job.edgeOf[r][departure.firstEdge];
            candidate.changes.push_back({edge, true, -ns});
            keepSlice(candidate, *input.capture.ranks[r].trace, rankIndex(r), graph.collectives[c].slice, ns);
        }
    }
    candidate.isUncertain = true;
    if (candidate.total() > 0) found.push_back(std::move(candidate));
}

}  // namespace

void addTransferCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found) {
    TransferReader(input).read(found);
    addAbsent(input, found);
}

}  // namespace altiscope
