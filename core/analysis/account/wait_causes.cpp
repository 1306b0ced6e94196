#include "core/analysis/account/wait_causes.h"

#include "core/analysis/account/wait_paths.h"

#include <algorithm>

namespace altiscope {

namespace {

std::int64_t waitOf(const Replay& replay, const JobGraph& job, std::uint32_t member, std::uint32_t instance) {
    return replay.start(job.groupNode[instance]) - replay.start(job.memberNode[member]);
}

}  // namespace

WaitCauses::WaitCauses(const CandidateInput& input) : m_input(input) {
    Replay recorded(input.job);
    recorded.run();
    const JobCollectives& all = input.collectives;
    for (std::uint32_t i = 0; i < all.instances.size(); ++i) {
        if (input.job.groupNode[i] == kNoNode) continue;
        const CollectiveInstance& instance = all.instances[i];
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + instance.memberCount; ++m) {
            if (input.job.memberNode[m] == kNoNode) continue;
            const std::int64_t wait = waitOf(recorded, input.job, m, i);
            if (wait < JobAccount::kShortestWait) continue;
            const CollectiveMember& member = all.members[m];
            const RankGraph& graph = *input.graphs[member.rank.value];
            m_waits.push_back({m, i, stepOfNode(input.job, graph, graph.collectives[member.collective].arrival), wait});
        }
    }
    std::sort(m_waits.begin(), m_waits.end(), [&](const Wait& a, const Wait& b) {
        const CollectiveMember &x = all.members[a.member], &y = all.members[b.member];
        return std::pair(x.rank, x.collective) < std::pair(y.rank, y.collective);
    });
}

std::vector<std::int64_t> WaitCauses::left(const Replay& replay) const {
    std::vector<std::int64_t> waits;
    waits.reserve(m_waits.size());
    for (const Wait& wait : m_waits) waits.push_back(waitOf(replay, m_input.job, wait.member, wait.instance));
    return waits;
}

WaitCause WaitCauses::describe(const Wait& wait) const {
    const JobCollectives& all = m_input.collectives;
    const CollectiveMember& member = all.members[wait.member];
    const std::size_t r = member.rank.value;
    const TraceStore& trace = *m_input.capture.ranks[r].trace;
    const CollectiveInstance& instance = all.instances[wait.instance];
    const SliceIndex slice = m_input.graphs[r]->collectives[member.collective].slice;
    WaitCause made;
    if (wait.step < m_input.job.steps.size()) made.step = m_input.job.steps[wait.step];
    made.rank = member.rank;
    made.group = all.groups[r][member.collective];
    made.operatorName = trace.name(slice);
    made.slice = trace.id(slice);
    made.range = {trace.begin(slice), trace.begin(slice) + DurationNs{wait.recorded}};
    made.wait = wait.recorded;
    made.late = all.members[instance.firstMember + instance.late].rank;
    return made;
}

std::vector<WaitCause> WaitCauses::waits(const std::vector<std::vector<std::int64_t>>& stages,
                                         const std::vector<CauseFacts>& causes,
                                         const std::vector<const std::vector<GraphChange>*>& changes) const {
    // What each removal took from the waits of a step, so that its gain can be shared out among them.
    const std::size_t steps = m_input.job.steps.size();
    std::vector<std::vector<std::int64_t>> dropOf(causes.size(), std::vector<std::int64_t>(steps + 1, 0));
    std::vector<std::size_t> stageOf(m_waits.size(), causes.size());
    std::vector<std::int64_t> drops(m_waits.size(), 0);
    for (std::size_t w = 0; w < m_waits.size(); ++w) {
        for (std::size_t s = 0; s < causes.size(); ++s) {
            const std::int64_t before = s == 0 ? m_waits[w].recorded : stages[s - 1][w];
            if (before - stages[s][w] <= drops[w]) continue;
            drops[w] = before - stages[s][w];
            stageOf[w] = s;
        }
        if (stageOf[w] < causes.size()) dropOf[stageOf[w]][m_waits[w].step] += drops[w];
    }
    SharedGains shared(causes.size(), std::vector<std::pair<std::int64_t, std::int64_t>>(steps + 1));
    std::vector<WaitCause> found;
    for (std::size_t w = 0; w < m_waits.size(); ++w) {
        const Wait& wait = m_waits[w];
        WaitCause made = describe(wait);
        const auto shareOf = [&](std::int64_t ns) {
            return static_cast<double>(std::clamp<std::int64_t>(ns, 0, wait.recorded)) /
                   static_cast<double>(wait.recorded);
        };
        made.coverage = shareOf(drops[w]);
        const std::int64_t left = stages.empty() ? wait.recorded : stages.back()[w];
        if (made.coverage >= kNamedShare && stageOf[w] < causes.size()) {
            const CauseFacts& cause = causes[stageOf[w]];
            const std::int64_t of = dropOf[stageOf[w]][wait.step];
            const auto share = [&](const std::vector<std::int64_t>& gains) {
                if (wait.step >= gains.size() || of <= 0) return std::int64_t{0};
                return static_cast<std::int64_t>(static_cast<double>(gains[wait.step]) *
                                                 (static_cast<double>(drops[w]) / static_cast<double>(of)));
            };
            made.recoverable = share(cause.removal);
            made.alone = share(cause.alone);
            shared[stageOf[w]][wait.step].first += made.recoverable;
            shared[stageOf[w]][wait.step].second += made.alone;
            made.cause = cause.cause;
            made.causeName = cause.name;
            // If several ranks have it, the one that came late is meant.
            const bool isLate = std::find(cause.ranks.begin(), cause.ranks.end(), made.late) != cause.ranks.end();
            if (isLate || cause.ranks.size() == 1) made.causeRank = isLate ? made.late : cause.ranks[0];
        } else {
            stageOf[w] = causes.size();
            const bool isOfPipeline = m_input.collectives.instances[wait.instance].isPeerToPeer;
            if (isOfPipeline && shareOf(left) >= kNamedShare) {
                made.cause = Cause::Bubble;
                made.coverage = shareOf(left);
            }
        }
        found.push_back(std::move(made));
    }
    addPaths(causes, changes, stageOf, found);
    addRest(causes, shared, found);
    // Who waits for a rank that is not here has no cause of it.
    for (WaitCause& wait : found) {
        if (wait.cause == Cause::Absent) wait.causeRank = kNoRank;
    }
    return found;
}

void WaitCauses::addPaths(const std::vector<CauseFacts>& causes,
                          const std::vector<const std::vector<GraphChange>*>& changes,
                          const std::vector<std::size_t>& causeOf, std::vector<WaitCause>& found) const {
    Replay recorded(m_input.job);
    recorded.run();
    WaitPaths paths(m_input, recorded);
    for (std::size_t c = 0; c < causes.size(); ++c) {
        if (std::find(causeOf.begin(), causeOf.end(), c) == causeOf.end()) continue;
        paths.setCause(*changes[c], causes[c].slices);
        for (std::size_t w = 0; w < m_waits.size(); ++w) {
            if (causeOf[w] != c) continue;
            WaitCause& wait = found[w];
            wait.path = paths.pathOf(m_waits[w].instance);
            const auto own = std::find_if(causes[c].slices.begin(), causes[c].slices.end(), [&](const CauseSlice& one) {
                return one.rank == wait.causeRank || wait.causeRank == kNoRank;
            });
            if (wait.path.empty() && own != causes[c].slices.end()) wait.path = {*own};
            if (wait.path.empty()) continue;
            wait.causeRank = wait.path.back().rank;
            wait.causeSlice = wait.path.back().slice;
            if (wait.causeName.empty()) wait.causeName = wait.path.back().name;
        }
    }
}

void WaitCauses::addRest(const std::vector<CauseFacts>& causes, const SharedGains& shared,
                         std::vector<WaitCause>& found) const {
    const auto& steps = m_input.job.steps;
    for (std::size_t c = 0; c < causes.size(); ++c) {
        const CauseFacts& cause = causes[c];
        for (std::size_t k = 0; k < steps.size(); ++k) {
            WaitCause rest;
            rest.step = steps[k];
            rest.recoverable = cause.removal[k];
            rest.alone = cause.alone[k];
            rest.recoverable -= shared[c][k].first;
            rest.alone -= shared[c][k].second;
            if (rest.recoverable == 0) continue;
            rest.cause = cause.cause;
            rest.causeName = cause.name;
            rest.coverage = 1;
            if (!cause.ranks.empty()) rest.rank = rest.causeRank = cause.ranks[0];
            if (!cause.slices.empty()) {
                rest.rank = rest.causeRank = cause.slices[0].rank;
                rest.causeSlice = cause.slices[0].slice;
                rest.range = cause.slices[0].range;
                rest.path = {cause.slices[0]};
            }
            found.push_back(std::move(rest));
        }
    }
}

}  // namespace altiscope
