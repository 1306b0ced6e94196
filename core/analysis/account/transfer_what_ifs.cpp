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
    TransferEdges(const CandidateInput& input, std::size_t rank) : m_input(input), m_rank(rank) {
        const JobCollectives& all = input.collectives;
        const TraceStore& trace = *input.capture.ranks[rank].trace;
        const auto& collectives = input.graphs[rank]->collectives;
        std::vector<std::uint32_t> edges(collectives.size(), kNoNode);
        for (std::uint32_t m = 0; m < all.members.size(); ++m) {
            if (all.members[m].rank.value == rank) edges[all.members[m].collective] = input.job.memberEdge[m];
        }
        for (std::size_t c = 0; c < collectives.size(); ++c) {
            if (edges[c] == kNoNode || input.job.weight[edges[c]] <= 0) continue;
            m_transfers.push_back(
                {edges[c], trace.name(collectives[c].slice), stepAt(trace.begin(collectives[c].slice))});
        }
    }

    /// Takes a loss of a step off the transfers of it that are meant, in proportion to their times.
    void shorten(std::optional<std::int64_t> step, double ns, const std::function<bool(std::string_view)>& isMeant,
                 WhatIfCandidate& made) const {
        double all = 0;
        const auto isOfStep = [&](const Transfer& one) { return (!step || one.step == step) && isMeant(one.name); };
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
    struct Transfer {
        std::uint32_t edge = 0;
        std::string_view name;
        std::optional<std::int64_t> step;
    };
    std::optional<std::int64_t> stepAt(TimeNs time) const {
        for (const StepFacts& step : m_input.facts[m_rank].steps) {
            if (step.range.begin <= time && time < step.range.end) return step.step;
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
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        const RankFacts& rank = input.facts[r];
        const auto longOnes = lost.of(rank);
        const StepLosses losses = unalignedPackets(rank, reached, limits).lost;
        const bool anyContended = std::any_of(rank.contention.begin(), rank.contention.end(),
                                              [&](const ContentionFacts& one) { return isContended(one, limits); });
        if (!input.graphs[r] || (longOnes.empty() && losses.empty() && !anyContended)) continue;
        const TransferEdges transfers(input, r);
        for (const auto& [step, ns] : losses)
            transfers.shorten(
                step, ns, [](std::string_view) { return true; }, unaligned);
        for (const LongCollective* one : longOnes)
            transfers.shorten(
                one->step, lost.lossOf(*one), [&](std::string_view name) { return name == one->name; }, timeouts);
        for (const ContentionFacts& one : rank.contention) {
            if (!isContended(one, limits)) continue;
            const std::vector<std::int64_t> byStep = contentionLosses(one);
            const auto isMeant = [&](std::string_view name) { return collectiveType(name) == one.operation; };
            for (std::size_t i = 0; i < std::min(byStep.size(), rank.steps.size()); ++i)
                transfers.shorten(rank.steps[i].step, static_cast<double>(byStep[i]), isMeant, contention);
        }
    }
    for (WhatIfCandidate* one : {&unaligned, &timeouts, &contention}) {
        if (!one->changes.empty()) found.push_back(std::move(*one));
    }
}

}  // namespace altiscope
