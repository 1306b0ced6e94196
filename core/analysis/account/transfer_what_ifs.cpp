#include "core/analysis/account/candidates.h"
#include "core/analysis/facts/transfer_losses.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <functional>
#include <string>
#include <utility>

namespace altiscope {

namespace {

/// The transfers of one rank, with what they lose taken off.
class TransferEdges {
public:
    /// @param members  Of the rank, in JobCollectives::members.
    TransferEdges(const CandidateInput& input, std::size_t rank, const std::vector<std::uint32_t>& members)
        : m_input(input), m_rank(rank) {
        const JobCollectives& all = input.collectives;
        const TraceStore& trace = *input.capture.ranks[rank].trace;
        for (const std::uint32_t m : members) {
            const std::uint32_t edge = input.job.memberEdge[m], c = all.members[m].collective;
            if (edge == kNoNode || input.job.weight[edge] <= 0) continue;
            const SliceIndex slice = input.graphs[rank]->collectives[c].slice;
            m_transfers.push_back({edge, trace.name(slice), all.groups[rank][c], stepAt(trace.begin(slice))});
        }
    }

    struct Transfer {
        std::uint32_t edge = 0;
        std::string_view name, group;
        std::optional<std::int64_t> step;
    };
    /// Takes a loss of a step off the transfers of it that are meant, in proportion to their times.
    void shorten(std::optional<std::int64_t> step, double ns, const std::function<bool(const Transfer&)>& isMeant,
                 WhatIfCandidate& made) const {
        double all = 0;
        const auto isOfStep = [&](const Transfer& one) { return one.step == step && isMeant(one); };
        for (const Transfer& one : m_transfers) {
            if (isOfStep(one)) all += static_cast<double>(m_input.job.weight[one.edge]);
        }
        // A loss that is longer than they are in the timeline is not in it, and cannot be replayed.
        if (ns <= 0 || all < ns) return;
        for (const Transfer& one : m_transfers) {
            if (!isOfStep(one)) continue;
            const double share = static_cast<double>(m_input.job.weight[one.edge]) / all;
            const auto delta = static_cast<std::int64_t>(ns * share);
            if (delta > 0) made.changes.push_back({one.edge, true, -delta});
        }
        const RankIndex own = rankIndex(m_rank);
        if (made.ranks.empty() || made.ranks.back() != own) made.ranks.push_back(own);
    }

private:
    std::optional<std::int64_t> stepAt(TimeNs time) const {
        // What the device still has of a step when the host begins the next one overlaps it.
        const std::vector<StepFacts>& steps = m_input.facts[m_rank].steps;
        for (auto step = steps.rbegin(); step != steps.rend(); ++step) {
            if (step->range.begin <= time && time < step->range.end) return step->step;
        }
        return std::nullopt;
    }

    const CandidateInput& m_input;
    std::size_t m_rank;
    std::vector<Transfer> m_transfers;
};

}  // namespace

void addTransferWhatIfs(const CandidateInput& input, std::vector<WhatIfCandidate>& found) {
    const TransferLimits limits;
    const auto reached = alignedBandwidths(input.facts, limits);
    const LostPackets lost(input.facts, limits);
    WhatIfCandidate unaligned, timeouts, contention;
    unaligned.whatIf = WhatIf::UnalignedPackets;
    timeouts.whatIf = WhatIf::LostPackets;
    contention.whatIf = WhatIf::Contention;
    std::vector<std::vector<std::uint32_t>> members(input.graphs.size());
    for (std::uint32_t m = 0; m < input.collectives.members.size(); ++m)
        members[input.collectives.members[m].rank.value].push_back(m);
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        const RankFacts& rank = input.facts[r];
        const auto longOnes = lost.of(rank);
        // Which collectives sent which packets is not kept: those of the network are none of these.
        const bool usesNetwork = std::any_of(rank.packets.begin(), rank.packets.end(),
                                             [](const PacketFacts& one) { return one.transport == "RDMA"; });
        const StepLosses losses = usesNetwork ? StepLosses{} : unalignedPackets(rank, reached, limits).lost;
        const bool anyContended = std::any_of(rank.contention.begin(), rank.contention.end(),
                                              [&](const ContentionFacts& one) { return isContended(one, limits); });
        if (!input.graphs[r] || (longOnes.empty() && losses.empty() && !anyContended)) continue;
        const TransferEdges transfers(input, r, members[r]);
        for (const auto& [step, ns] : losses)
            transfers.shorten(
                step, ns, [](const TransferEdges::Transfer&) { return true; }, unaligned);
        for (const LongCollective* one : longOnes)
            transfers.shorten(
                one->step, lost.lossOf(*one),
                [&](const TransferEdges::Transfer& made) { return made.name == one->name; }, timeouts);
        for (const ContentionFacts& one : rank.contention) {
            if (!isContended(one, limits)) continue;
            const std::vector<std::int64_t> byStep = contentionLosses(one);
            const auto isMeant = [&](const TransferEdges::Transfer& made) {
                return made.group == one.group && collectiveType(made.name) == one.operation;
            };
            for (std::size_t i = 0; i < std::min(byStep.size(), rank.steps.size()); ++i)
                transfers.shorten(rank.steps[i].step, static_cast<double>(byStep[i]), isMeant, contention);
        }
    }
    for (WhatIfCandidate* one : {&unaligned, &timeouts, &contention}) {
        if (!one->changes.empty()) found.push_back(std::move(*one));
    }
}

}  // namespace altiscope
