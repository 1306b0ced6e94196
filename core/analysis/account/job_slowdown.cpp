#include "core/analysis/account/job_slowdown.h"

#include "core/base/threads/parallel.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <set>
#include <utility>

namespace altiscope {

namespace {

constexpr double kWorstShare = 0.03;
constexpr std::string_view kHostType = "host";

/// What a change changes.
struct ChangedPart {
    RankIndex rank = kNoRank;
    std::uint32_t type = 0;  ///< Place among the names.
};

class SlowdownMaker {
public:
    SlowdownMaker(const CandidateInput& input, const std::vector<CauseFacts>& causes, const CancelToken& cancel)
        : m_input(input), m_cancel(cancel), m_localOf(input.job.nodeCount()) {
        for (std::size_t r = 0; r < input.graphs.size(); ++r) {
            if (!input.graphs[r]) continue;
            const auto& nodes = input.job.nodeOf[r];
            for (std::uint32_t i = 0; i < nodes.size(); ++i) m_localOf[nodes[i]] = {rankIndex(r), i};
        }
        m_typeNames = {"compute", "copy", std::string(kHostType), "event"};
        takeRemoved(causes);
    }

    std::optional<JobSlowdown> make(const std::vector<std::int64_t>& stages,
                                    const std::vector<std::optional<std::int64_t>>& dps);

private:
    using Filter = std::function<bool(const ChangedPart&)>;

    void takeRemoved(const std::vector<CauseFacts>& causes);
    ChangedPart partOf(const GraphChange& change);
    std::uint32_t typeOf(RankIndex rank, std::uint32_t node, std::optional<std::uint32_t> edge);
    std::uint32_t typeNumber(const std::string& name);
    /// Mean step with everything as slow as recorded that the filter keeps, and all else without its causes.
    double meanWith(const Filter& keeps) const;
    LossShare shareOf(const Filter& isMeant) const;

    const CandidateInput& m_input;
    const CancelToken& m_cancel;
    std::vector<std::pair<RankIndex, std::uint32_t>>
        m_localOf;                                    // by node of the job; those of no rank are not looked at
    std::vector<std::vector<GraphChange>> m_removed;  // by cause
    std::vector<std::vector<ChangedPart>> m_parts;    // likewise
    std::vector<std::string> m_typeNames;
    double m_recorded = 0, m_ideal = 0;
};

std::uint32_t SlowdownMaker::typeNumber(const std::string& name) {
    const auto known = std::find(m_typeNames.begin(), m_typeNames.end(), name);
    const auto number = static_cast<std::uint32_t>(known - m_typeNames.begin());
    if (known == m_typeNames.end()) m_typeNames.push_back(name);
    return number;
}

std::uint32_t SlowdownMaker::typeOf(RankIndex rank, std::uint32_t node, std::optional<std::uint32_t> edge) {
    enum Type : std::uint32_t { kCompute, kCopy, kHost, kEvent };
    const RankGraph& graph = *m_input.graphs[rank.value];
    const GraphNode& of = graph.nodes[node];
    if (of.kind == NodeKind::Departure)
        return typeNumber(collectiveType(m_input.capture.ranks[rank.value].trace->name(of.slice)));
    if (!isOnDevice(of.kind)) return kHost;
    if (edge) {
        const EdgeKind kind = graph.edgesOf(node)[*edge].kind;
        if (kind == EdgeKind::Event) return kEvent;
        if (kind == EdgeKind::Launch) return kHost;
    }
    if (of.kind == NodeKind::EventWait) return kEvent;
    return of.kind == NodeKind::Copy ? kCopy : kCompute;
}

ChangedPart SlowdownMaker::partOf(const GraphChange& change) {
    const JobGraph& job = m_input.job;
    std::uint32_t node = change.index;
    std::optional<std::uint32_t> edge;
    if (change.isEdge) {
        const auto after = std::upper_bound(job.firstEdge.begin(), job.firstEdge.end(), change.index);
        node = static_cast<std::uint32_t>(after - job.firstEdge.begin()) - 1;
        edge = change.index - job.firstEdge[node];
    }
    const auto& [rank, local] = m_localOf[node];
    return {rank, typeOf(rank, local, edge)};
}

/// The candidates that the account removed, found again by what they are.
void SlowdownMaker::takeRemoved(const std::vector<CauseFacts>& causes) {
    const std::vector<CauseCandidate> candidates = findCandidates(m_input, m_cancel);
    for (const CauseFacts& cause : causes) {
        const auto found = std::find_if(candidates.begin(), candidates.end(), [&](const CauseCandidate& one) {
            return one.cause == cause.cause && one.kind == cause.kind && one.ranks == cause.ranks &&
                   one.name == cause.name && one.group == cause.group && one.link == cause.link;
        });
        if (found == candidates.end()) continue;
        m_removed.push_back(found->changes);
        m_parts.emplace_back();
        for (const GraphChange& change : found->changes) m_parts.back().push_back(partOf(change));
    }
}

double SlowdownMaker::meanWith(const Filter& keeps) const {
    Replay replay(m_input.job);
    std::vector<GraphChange> changes;
    for (std::size_t c = 0; c < m_removed.size(); ++c) {
        changes.clear();
        for (std::size_t i = 0; i < m_removed[c].size(); ++i) {
            if (!keeps(m_parts[c][i])) changes.push_back(m_removed[c][i]);
        }
        replay.addWithin(changes);
    }
    replay.run();
    const std::vector<std::int64_t> steps = replay.steps();
    if (steps.empty()) return 0;
    return static_cast<double>(std::accumulate(steps.begin(), steps.end(), std::int64_t{0})) /
           static_cast<double>(steps.size());
}

LossShare SlowdownMaker::shareOf(const Filter& isMeant) const {
    const double lost = m_recorded - m_ideal;
    if (lost <= 0) return {};
    const double without = meanWith([&](const ChangedPart& part) { return !isMeant(part); });
    return {(m_recorded - without) / lost, (meanWith(isMeant) - m_ideal) / lost};
}

std::optional<JobSlowdown> SlowdownMaker::make(const std::vector<std::int64_t>& stages,
                                               const std::vector<std::optional<std::int64_t>>& dps) {
    m_recorded = meanWith([](const ChangedPart&) { return true; });
    m_ideal = meanWith([](const ChangedPart&) { return false; });
    JobSlowdown made;
    made.byRank.assign(m_input.graphs.size(), 1);
    made.byHost = made.byRank;
    std::set<std::uint32_t> types;
    std::vector<bool> isChanged(m_input.graphs.size()), isHostChanged(isChanged);
    for (const auto& parts : m_parts) {
        for (const ChangedPart& part : parts) {
            types.insert(part.type);
            isChanged[part.rank.value] = true;
            if (m_typeNames[part.type] == kHostType) isHostChanged[part.rank.value] = true;
        }
    }
    // What each replay keeps as slow as it is, and where its result goes.
    std::vector<std::pair<Filter, double*>> wanted;
    for (const std::uint32_t type : types)
        wanted.emplace_back([type](const ChangedPart& part) { return part.type == type; },
                            &made.byType[m_typeNames[type]]);
    for (std::size_t r = 0; r < stages.size(); ++r) {
        if (!m_input.graphs[r]) continue;
        const auto [stage, isNewStage] = made.byStage.try_emplace(stages[r], 1);
        if (isNewStage)
            wanted.emplace_back(
                [&stages, s = stages[r]](const ChangedPart& part) { return stages[part.rank.value] == s; },
                &stage->second);
        if (dps[r]) {
            const auto [dp, isNewDp] = made.byDp.try_emplace(*dps[r], 1);
            if (isNewDp)
                wanted.emplace_back([&dps, d = *dps[r]](const ChangedPart& part) { return dps[part.rank.value] == d; },
                                    &dp->second);
        }
        if (isChanged[r])
            wanted.emplace_back([r](const ChangedPart& part) { return part.rank.value == r; }, &made.byRank[r]);
        if (isHostChanged[r])
            wanted.emplace_back(
                [this, r](const ChangedPart& part) {
                    return part.rank.value == r && m_typeNames[part.type] == kHostType;
                },
                &made.byHost[r]);
    }
    parallelFor(wanted.size(), [&](std::size_t i) {
        if (!m_cancel.cancelled() && m_ideal > 0) *wanted[i].second = meanWith(wanted[i].first) / m_ideal;
    });
    if (m_cancel.cancelled()) return std::nullopt;
    for (std::size_t r = 0; r < m_input.graphs.size(); ++r)
        if (m_input.graphs[r]) made.worstRanks.push_back(rankIndex(r));
    const auto count = std::ceil(kWorstShare * static_cast<double>(made.worstRanks.size()));
    std::stable_sort(made.worstRanks.begin(), made.worstRanks.end(),
                     [&](RankIndex a, RankIndex b) { return made.byRank[a.value] > made.byRank[b.value]; });
    made.worstRanks.resize(static_cast<std::size_t>(count));
    made.worst = shareOf([&](const ChangedPart& part) {
        return std::find(made.worstRanks.begin(), made.worstRanks.end(), part.rank) != made.worstRanks.end();
    });
    const std::int64_t last = made.byStage.empty() ? 0 : made.byStage.rbegin()->first;
    made.lastStage = shareOf([&](const ChangedPart& part) { return stages[part.rank.value] == last; });
    return made;
}

}  // namespace

std::optional<JobSlowdown> jobSlowdown(const CandidateInput& input, const std::vector<CauseFacts>& causes,
                                       const std::vector<std::int64_t>& stages,
                                       const std::vector<std::optional<std::int64_t>>& dps, const CancelToken& cancel) {
    SlowdownMaker maker(input, causes, cancel);
    if (cancel.cancelled()) return std::nullopt;
    return maker.make(stages, dps);
}

}  // namespace altiscope
