#include "core/analysis/account/job_account.h"

#include "core/analysis/account/wait_causes.h"
#include "core/base/threads/parallel.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <set>

namespace altiscope {

namespace {

/// A gain below the steps by this is noise.
constexpr std::int64_t kMinGainShare = 1000;
/// After the first round only these are followed up.
constexpr std::size_t kMostCauses = 8;
/// More contradictions than this share of the tasks: the timeline does not say what waited for what.
constexpr std::uint64_t kMostContradictions = 100;

using Steps = std::vector<std::int64_t>;

std::int64_t sumOfSteps(const Steps& steps) { return std::accumulate(steps.begin(), steps.end(), std::int64_t{0}); }

Steps difference(const Steps& before, const Steps& after) {
    Steps gains(before.size());
    for (std::size_t i = 0; i < before.size(); ++i) gains[i] = before[i] - after[i];
    return gains;
}

/// Largest error of a rank's step, with typical delays in place of those that were recorded.
double replayErrorOf(const CandidateInput& input, JobAccount& account) {
    Replay replay(input.job);
    replay.setWeights(typicalWeights(input.job, input.graphs));
    replay.run();
    account.replayed = replay.steps();
    double largest = 0;
    for (const JobGraph::RankStep& step : input.job.rankSteps) {
        if (step.recorded <= 0) continue;
        const auto recorded = static_cast<double>(step.recorded);
        const double error = std::abs(static_cast<double>(replay.length(step)) / recorded - 1);
        if (error <= largest) continue;
        largest = error;
        account.refusedBy = rankIndex(step.rank);
    }
    return largest;
}

/// Without what the host took before each launch: an upper bound of all causes of the host.
Steps withoutLaunches(const CandidateInput& input) {
    Replay replay(input.job);
    std::vector<std::int64_t> weights = input.job.weight;
    std::vector<GraphChange> lengths;
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (!input.graphs[r]) continue;
        const RankGraph& graph = *input.graphs[r];
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode& node = graph.nodes[i];
            if (node.kind == NodeKind::Dequeue)
                lengths.push_back({input.job.nodeOf[r][i], false, node.start - node.end});
            for (std::uint32_t e = node.firstEdge; e < node.firstEdge + node.edgeCount; ++e) {
                const EdgeKind kind = graph.edges[e].kind;
                std::int64_t& weight = weights[input.job.edgeOf[r][e]];
                if (kind == EdgeKind::Host || kind == EdgeKind::Worker || kind == EdgeKind::Queue)
                    weight = std::min<std::int64_t>(weight, 0);
                if (kind == EdgeKind::Launch) weight -= graph.edges[e].fixed;
            }
        }
    }
    replay.setWeights(std::move(weights));
    replay.add(lengths);
    replay.run();
    return replay.steps();
}

ReplayRefusal refusalOf(const CandidateInput& input, JobAccount& account) {
    bool any = false;
    const auto refuse = [&](std::size_t r, ReplayRefusal why) {
        account.refusedBy = rankIndex(r);
        return why;
    };
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (input.capture.ranks[r].window || input.facts[r].lost.steps) return refuse(r, ReplayRefusal::Cut);
        if (!input.graphs[r] || input.graphs[r]->tasks == 0) continue;
        any = true;
    }
    if (!any) return ReplayRefusal::NoTimeline;
    for (std::size_t r = 0; r < input.graphs.size(); ++r) {
        if (!input.graphs[r] || input.graphs[r]->tasks == 0) continue;
        const RankGraph& graph = *input.graphs[r];
        if (!graph.hasSynchronization) return refuse(r, ReplayRefusal::NoSynchronization);
        if (graph.contradictions * kMostContradictions > graph.tasks) return refuse(r, ReplayRefusal::Contradiction);
    }
    return input.job.hasCycle ? ReplayRefusal::Cycle : ReplayRefusal::None;
}

/// Takes one cause after the other out of a job.
class Removal {
public:
    Removal(const CandidateInput& input, std::vector<CauseCandidate> candidates, const CancelToken& cancel)
        : m_input(input), m_candidates(std::move(candidates)), m_cancel(cancel) {}

    void run(JobAccount& account) {
        m_recorded = account.recorded;
        m_minGain = std::max<std::int64_t>(1, sumOfSteps(m_recorded) / kMinGainShare);
        chooseFirst();
        removeInOrder();
        addAlone();
        account.ideal = m_stages.empty() ? m_recorded : m_stages.back();
        for (std::size_t i = 0; i < m_order.size(); ++i) account.causes.push_back(causeOf(i));
        addWhatIfs(account);
        addWaits(account);
    }

private:
    Steps replayWithout(const std::vector<std::size_t>& removed) const {
        Replay replay(m_input.job);
        for (const std::size_t c : removed) replay.addWithin(m_candidates[c].changes);
        replay.run();
        return replay.steps();
    }
    /// Steps with each of some candidates removed beside those that are removed already.
    std::vector<Steps> tryEach(const std::vector<std::size_t>& candidates) const {
        std::vector<Steps> results(candidates.size());
        parallelFor(candidates.size(), [&](std::size_t i) {
            if (m_cancel.cancelled()) return;
            std::vector<std::size_t> removed = m_order;
            removed.push_back(candidates[i]);
            results[i] = replayWithout(removed);
        });
        return results;
    }
    void chooseFirst();
    void removeInOrder();
    void addAlone();
    void addWhatIfs(JobAccount& account) const;
    void addWaits(JobAccount& account) const;
    CauseFacts causeOf(std::size_t place) const;

    const CandidateInput& m_input;
    std::vector<CauseCandidate> m_candidates;
    const CancelToken& m_cancel;
    Steps m_recorded;
    std::int64_t m_minGain = 0;
    std::vector<std::size_t> m_left;   // candidates that are not removed yet
    std::vector<std::size_t> m_order;  // those that are
    std::vector<Steps> m_stages;       // steps after each removal
    std::vector<Steps> m_alone;
    std::vector<Steps> m_first;  // by candidate: steps with it alone removed; empty: not tried
};

void Removal::chooseFirst() {
    std::vector<std::size_t> all;
    for (std::size_t c = 0; c < m_candidates.size(); ++c) {
        // Even if all of it lay on the path it would be noise.
        if (m_candidates[c].total() >= m_minGain) all.push_back(c);
    }
    const std::vector<Steps> results = tryEach(all);
    if (m_cancel.cancelled()) return;
    m_first.resize(m_candidates.size());
    for (std::size_t i = 0; i < all.size(); ++i) m_first[all[i]] = results[i];
    std::vector<std::pair<std::int64_t, std::size_t>> gains;
    const std::int64_t before = sumOfSteps(m_recorded);
    for (std::size_t i = 0; i < all.size(); ++i) gains.emplace_back(before - sumOfSteps(results[i]), all[i]);
    // The cores' frequency comes first: what is slow for it is no kernel's fault.
    for (const auto& [gain, c] : gains) {
        if (m_candidates[c].cause != Cause::Frequency || gain < m_minGain) continue;
        m_order.push_back(c);
    }
    if (!m_order.empty()) {
        std::vector<std::size_t> removed;
        for (const std::size_t c : m_order) {
            removed.push_back(c);
            m_stages.push_back(replayWithout(removed));
        }
    }
    std::stable_sort(gains.begin(), gains.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    for (const auto& [gain, c] : gains) {
        if (m_left.size() < kMostCauses && m_candidates[c].cause != Cause::Frequency) m_left.push_back(c);
    }
    std::sort(m_left.begin(), m_left.end());
}

void Removal::removeInOrder() {
    while (!m_left.empty() && !m_cancel.cancelled()) {
        const std::vector<Steps> results = tryEach(m_left);
        if (m_cancel.cancelled()) return;
        std::size_t best = 0;
        for (std::size_t i = 1; i < results.size(); ++i) {
            if (sumOfSteps(results[i]) < sumOfSteps(results[best])) best = i;
        }
        const std::int64_t before = sumOfSteps(m_stages.empty() ? m_recorded : m_stages.back());
        if (before - sumOfSteps(results[best]) < m_minGain) break;
        m_order.push_back(m_left[best]);
        m_stages.push_back(results[best]);
        m_left.erase(m_left.begin() + static_cast<std::ptrdiff_t>(best));
    }
}

void Removal::addAlone() {
    m_alone.resize(m_order.size());
    parallelFor(m_order.size(), [&](std::size_t i) {
        std::vector<std::size_t> others = m_order;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
        m_alone[i] = difference(replayWithout(others), m_stages.back());
    });
}

void Removal::addWhatIfs(JobAccount& account) const {
    Replay ideal(m_input.job);
    for (const std::size_t c : m_order) ideal.addWithin(m_candidates[c].changes);
    const std::vector<WhatIfCandidate> candidates = findWhatIfs(m_input, ideal.durations(), m_cancel);
    account.whatIfs.resize(candidates.size());
    parallelFor(candidates.size(), [&](std::size_t i) {
        if (m_cancel.cancelled()) return;
        const WhatIfCandidate& from = candidates[i];
        Replay replay = ideal;
        replay.addWithin(from.changes);
        replay.run();
        account.whatIfs[i] = {from.whatIf, from.ranks, from.name, difference(account.ideal, replay.steps())};
    });
}

void Removal::addWaits(JobAccount& account) const {
    const WaitCauses waits(m_input);
    if (waits.empty() || m_cancel.cancelled()) return;
    std::vector<std::vector<std::int64_t>> left(m_order.size());
    std::vector<const std::vector<GraphChange>*> changes;
    Replay replay(m_input.job);
    for (std::size_t i = 0; i < m_order.size() && !m_cancel.cancelled(); ++i) {
        changes.push_back(&m_candidates[m_order[i]].changes);
        replay.addWithin(*changes.back());
        replay.run();
        left[i] = waits.left(replay);
    }
    if (!m_cancel.cancelled()) account.waits = waits.waits(left, account.causes, changes);
}

CauseFacts Removal::causeOf(std::size_t place) const {
    const CauseCandidate& from = m_candidates[m_order[place]];
    CauseFacts cause;
    cause.cause = from.cause;
    cause.kind = from.kind;
    cause.ranks = from.ranks;
    cause.name = from.name;
    cause.group = from.group;
    cause.link = from.link;
    cause.slices = from.slices;
    cause.removal = difference(place == 0 ? m_recorded : m_stages[place - 1], m_stages[place]);
    cause.alone = m_alone[place];
    cause.first = difference(m_recorded, m_first[m_order[place]]);
    const std::size_t steps = cause.stepsWithAny();
    cause.isEvent = steps <= 1 || 2 * steps < cause.removal.size();
    const auto [min, most] = std::minmax({sumOfSteps(cause.removal), sumOfSteps(cause.alone), sumOfSteps(cause.first)});
    cause.isRange =
        from.isUncertain || static_cast<double>(most - min) > kRangeShare * std::max(0.0, static_cast<double>(most));
    return cause;
}

}  // namespace

JobAccount replayJob(const CandidateInput& input, const CancelToken& cancel) {
    JobAccount account;
    account.refusal = refusalOf(input, account);
    if (account.refusal != ReplayRefusal::None) return account;
    account.steps = input.job.steps;
    Replay recorded(input.job);
    recorded.run();
    account.recorded = recorded.steps();
    account.replayError = replayErrorOf(input, account);
    if (*account.replayError > kLargestReplayError) {
        account.refusal = ReplayRefusal::Error;
        return account;
    }
    account.refusedBy = input.job.withoutClock;
    account.withoutLaunches = withoutLaunches(input);
    Removal(input, findCandidates(input, cancel), cancel).run(account);
    return account;
}

}  // namespace altiscope
