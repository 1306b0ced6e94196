#pragma once

#include "core/analysis/account/job_collectives.h"
#include "core/analysis/account/rank_graph.h"
#include "core/analysis/support/account_facts.h"

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// The graphs of all ranks as one, in an order in which each node comes after all that it waits for: a replay is one
/// pass over flat arrays. Times are on the common clock. Constant.
struct JobGraph {
    // By node.
    std::vector<std::uint32_t> firstEdge;  ///< One more than nodes.
    std::vector<std::int64_t> anchor;      ///< Start of what waits for nothing; else kNoLaunch-like minimum.
    std::vector<std::int64_t> duration;
    // By edge.
    std::vector<std::uint32_t> from;  ///< 2 * node, + 1 for its end.
    std::vector<std::int64_t> weight;
    // Where things of ranks are.
    std::vector<std::vector<std::uint32_t>> nodeOf;  ///< By rank and RankGraph::nodes.
    std::vector<std::vector<std::uint32_t>> edgeOf;  ///< By rank and RankGraph::edges.
    std::vector<std::uint32_t> memberEdge;           ///< By JobCollectives::members: its transfer; kNoNode: alone.
    std::vector<std::uint32_t> memberNode;           ///< Likewise: its arrival.
    std::vector<std::uint32_t> groupNode;  ///< By JobCollectives::instances: all have arrived; kNoNode: one member.
    // Steps.
    std::vector<std::optional<std::int64_t>> steps;  ///< Numbers, ascending.
    struct RankStep {
        std::uint32_t rank = 0, step = 0;  ///< Places.
        std::uint32_t begin = 0, end = 0;  ///< Nodes.
        std::int64_t recorded = 0;         ///< ns
    };
    std::vector<RankStep> rankSteps;
    /// The first of several ranks whose clock does not relate to that of the others, so that they do not wait for it in
    /// a replay; kNoRank: all have one time.
    RankIndex withoutClock = kNoRank;
    bool hasCycle = false;

    std::size_t nodeCount() const { return duration.size(); }
};

/// A what-if: durations of nodes and weights of edges that are other than recorded.
struct GraphChange {
    std::uint32_t index = 0;
    bool isEdge = false;
    std::int64_t delta = 0;  ///< ns to add.
};

/// No step is as long: what is let begin this much earlier does not wait.
inline constexpr std::int64_t kNoStepNs = 1'000'000'000'000;

/// @param graphs  Of each rank; null: none.
/// O(nodes + edges).
JobGraph makeJobGraph(const std::vector<std::optional<RankGraph>>& graphs, const JobCollectives& collectives);

/// Replays of one graph, one after the other. Not thread-safe; the graph must outlive it.
class Replay {
public:
    explicit Replay(const JobGraph& graph);

    void add(const std::vector<GraphChange>& changes);
    /// The same, where others may have changed the same: nothing takes less than no time.
    void addWithin(const std::vector<GraphChange>& changes);
    /// Weights other than those recorded, by edge.
    void setWeights(std::vector<std::int64_t> weights) { m_weights = std::move(weights); }
    /// O(nodes + edges).
    void run();

    /// By node, as changed so far.
    const std::vector<std::int64_t>& durations() const { return m_durations; }
    std::int64_t start(std::uint32_t node) const { return m_times[2 * std::size_t{node}]; }
    std::int64_t end(std::uint32_t node) const { return m_times[2 * std::size_t{node} + 1]; }
    std::int64_t length(const JobGraph::RankStep& step) const { return start(step.end) - start(step.begin); }
    /// Lengths of the job's steps: from the last rank's begin to the last one's end, so that all add up to the run.
    /// Where ranks have no common time, the longest rank's.
    std::vector<std::int64_t> steps() const;

private:
    const JobGraph& m_graph;
    std::vector<std::int64_t> m_durations, m_weights, m_times;
};

/// A step of a job in a replay, in its time.
struct JobStep {
    std::int64_t begin = 0, end = 0;
    std::uint32_t last =
        kNoNode;            ///< Place in JobGraph::rankSteps: who ends it, the first such; kNoNode: nobody has it.
    bool isCommon = false;  ///< From the last rank's begin to the last one's end; else the longest rank's.
};
/// As JobGraph::steps; Replay::steps() are their lengths. O(steps of all ranks).
std::vector<JobStep> jobSteps(const JobGraph& job, const Replay& replay);

/// The step in which a node of a rank starts: place in JobGraph::steps, which has no such place for a node outside of
/// every step. O(log + steps).
std::size_t stepOfNode(const JobGraph& job, const RankGraph& graph, std::uint32_t node);

/// The weights with the typical delays of each rank in place of those that were recorded; copies keep theirs.
std::vector<std::int64_t> typicalWeights(const JobGraph& job, const std::vector<std::optional<RankGraph>>& graphs);

}  // namespace altiscope
