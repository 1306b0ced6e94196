#include "core/analysis/account/candidates.h"
#include "core/trace/collective_names.h"

#include <algorithm>
#include <map>
#include <optional>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

/// One more for each kind; those that change nothing go.
class WhatIfs {
public:
    WhatIfs(const CandidateInput& input, const std::vector<std::int64_t>& durations)
        : m_input(input), m_durations(durations) {}

    void addSavings(WhatIf whatIf);
    void addTinyKernels();
    void addSynchronizations();
    void addBalancedStages();
    void addPipelineWaits();
    void addTransfers() { addTransferWhatIfs(m_input, m_found); }
    std::vector<WhatIfCandidate> take() { return std::move(m_found); }

private:
    void keep(WhatIfCandidate&& made) {
        if (!made.changes.empty()) m_found.push_back(std::move(made));
    }
    /// Calls `body(rank, graph, candidate)` for each rank that has a graph; those that it changes are its ranks.
    template <class Body>
    WhatIfCandidate ofRanks(WhatIf whatIf, Body body) const {
        WhatIfCandidate made;
        made.whatIf = whatIf;
        for (std::size_t r = 0; r < m_input.graphs.size(); ++r) {
            if (!m_input.graphs[r]) continue;
            const std::size_t before = made.changes.size();
            body(r, *m_input.graphs[r], made);
            if (made.changes.size() > before) made.ranks.push_back(rankIndex(r));
        }
        return made;
    }

    const CandidateInput& m_input;
    const std::vector<std::int64_t>& m_durations;
    std::vector<WhatIfCandidate> m_found;
};

void WhatIfs::addSavings(WhatIf whatIf) {
    keep(ofRanks(whatIf, [&](std::size_t r, const RankGraph& graph, WhatIfCandidate& made) {
        std::vector<std::pair<SliceIndex, std::int64_t>> savings;
        for (const KernelSaving& one : m_input.facts[r].savings) {
            if (one.whatIf == whatIf) savings.emplace_back(one.slice, one.ns);
        }
        if (savings.empty()) return;
        if (whatIf == WhatIf::FusedSequence) {
            const std::string& types = m_input.facts[r].savedSequence;
            if (!made.name.empty() && made.name != types) return;
        }
        std::sort(savings.begin(), savings.end());
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode& node = graph.nodes[i];
            if (node.kind != NodeKind::Kernel) continue;
            const auto at = std::lower_bound(savings.begin(), savings.end(), std::pair(node.slice, std::int64_t{0}));
            if (at == savings.end() || at->first != node.slice) continue;
            made.changes.push_back({m_input.job.nodeOf[r][i], false, -std::min(at->second, node.end - node.start)});
            if (whatIf == WhatIf::FusedSequence) made.name = m_input.facts[r].savedSequence;
        }
    }));
}

/// The host takes no time for what launches nothing but kernels of some microseconds.
void WhatIfs::addTinyKernels() {
    keep(ofRanks(WhatIf::TinyKernels, [&](std::size_t r, const RankGraph& graph, WhatIfCandidate& made) {
        enum Launches : unsigned char { kNothing, kTiny, kOthers };
        std::vector<Launches> launches(graph.nodes.size(), kNothing);
        const auto eachLaunch = [&](auto body) {
            for (const GraphNode& node : graph.nodes) {
                if (!isOnDevice(node.kind)) continue;
                for (std::uint32_t e = node.firstEdge; e < node.firstEdge + node.edgeCount; ++e) {
                    if (graph.edges[e].kind == EdgeKind::Launch) body(node, e);
                }
            }
        };
        eachLaunch([&](const GraphNode& node, std::uint32_t e) {
            const bool isTiny = node.kind == NodeKind::Kernel && node.end - node.start < kTinyKernelNs;
            Launches& known = launches[graph.edges[e].node];
            known = std::max(known, isTiny ? kTiny : kOthers);
        });
        const auto shorten = [&](std::uint32_t edge, std::int64_t ns) {
            if (ns > 0) made.changes.push_back({m_input.job.edgeOf[r][edge], true, -ns});
        };
        eachLaunch([&](const GraphNode&, std::uint32_t e) {
            if (launches[graph.edges[e].node] == kTiny) shorten(e, graph.edges[e].fixed);
        });
        const auto shortenPoint = [&](std::uint32_t i) {
            const GraphNode& point = graph.nodes[i];
            for (std::uint32_t e = point.firstEdge; e < point.firstEdge + point.edgeCount; ++e) {
                if (graph.edges[e].kind == EdgeKind::Host) shorten(e, graph.edges[e].weight);
            }
        };
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode& node = graph.nodes[i];
            if (launches[i] != kTiny) continue;
            if (node.kind == NodeKind::HostPoint) shortenPoint(i);
            if (node.kind != NodeKind::Dequeue) continue;
            if (node.end > node.start) made.changes.push_back({m_input.job.nodeOf[r][i], false, node.start - node.end});
            for (const GraphEdge& edge : graph.edgesOf(i)) {
                if (edge.kind == EdgeKind::Queue) shortenPoint(edge.node);
            }
        }
    }));
}

/// The last wait of each step stays: it makes the step as long as the device takes.
void WhatIfs::addSynchronizations() {
    keep(ofRanks(WhatIf::Synchronizations, [&](std::size_t r, const RankGraph& graph, WhatIfCandidate& made) {
        std::vector<std::pair<std::int64_t, std::uint32_t>> waits;  // by time: edge
        for (const GraphNode& node : graph.nodes) {
            for (std::uint32_t e = node.firstEdge; e < node.firstEdge + node.edgeCount; ++e) {
                if (graph.edges[e].kind == EdgeKind::Awaited) waits.emplace_back(node.start, e);
            }
        }
        std::sort(waits.begin(), waits.end());
        const auto stepOf = [&](std::int64_t time) {
            const auto after = std::upper_bound(
                graph.borders.begin(), graph.borders.end(), time,
                [&](std::int64_t value, std::uint32_t border) { return value < graph.nodes[border].start; });
            return after - graph.borders.begin();
        };
        for (std::size_t i = 0; i + 1 < waits.size(); ++i) {
            if (stepOf(waits[i].first) != stepOf(waits[i + 1].first)) continue;
            made.changes.push_back({m_input.job.edgeOf[r][waits[i].second], true, -kNoStepNs});
        }
    }));
}

/// What a cause already takes off a stage is not taken off twice.
void WhatIfs::addBalancedStages() {
    using Job = std::pair<std::uint32_t, std::string>;
    std::map<Job, std::map<std::int64_t, std::vector<double>>> stages;  // ns of kernels of their ranks
    const auto jobOf = [&](std::size_t r) { return Job{m_input.facts[r].recording, m_input.facts[r].role}; };
    for (std::size_t r = 0; r < m_input.graphs.size(); ++r) {
        if (!m_input.graphs[r]) continue;
        double sum = 0;
        const std::vector<GraphNode>& nodes = m_input.graphs[r]->nodes;
        for (std::uint32_t i = 0; i < nodes.size(); ++i) {
            if (nodes[i].kind == NodeKind::Kernel) sum += static_cast<double>(m_durations[m_input.job.nodeOf[r][i]]);
        }
        if (sum > 0) stages[jobOf(r)][m_input.facts[r].stage].push_back(sum);
    }
    std::map<Job, std::map<std::int64_t, double>> ratios;
    for (auto& [job, byStage] : stages) {
        if (byStage.size() < 2) continue;
        double mean = 0;
        std::map<std::int64_t, double>& own = ratios[job];
        for (auto& [stage, times] : byStage) {
            std::sort(times.begin(), times.end());
            own[stage] = times[times.size() / 2];
            mean += own[stage] / static_cast<double>(byStage.size());
        }
        for (auto& [stage, time] : own) time = mean / time;
    }
    keep(ofRanks(WhatIf::BalancedStages, [&](std::size_t r, const RankGraph& graph, WhatIfCandidate& made) {
        const auto job = ratios.find(jobOf(r));
        if (job == ratios.end()) return;
        const auto ratio = job->second.find(m_input.facts[r].stage);
        if (ratio == job->second.end()) return;
        for (std::uint32_t i = 0; i < graph.nodes.size(); ++i) {
            if (graph.nodes[i].kind != NodeKind::Kernel) continue;
            const std::uint32_t node = m_input.job.nodeOf[r][i];
            const auto length = static_cast<double>(m_durations[node]);
            const auto delta = static_cast<std::int64_t>(length * (ratio->second - 1));
            if (delta != 0) made.changes.push_back({node, false, delta});
        }
    }));
}

/// A receive does not wait for its send.
void WhatIfs::addPipelineWaits() {
    WhatIfCandidate made;
    made.whatIf = WhatIf::NoPipelineWaits;
    const JobCollectives& all = m_input.collectives;
    const JobGraph& job = m_input.job;
    for (std::uint32_t i = 0; i < all.instances.size(); ++i) {
        const CollectiveInstance& instance = all.instances[i];
        const std::uint32_t group = job.groupNode[i];
        if (group == kNoNode || !instance.isPeerToPeer || instance.memberCount != 2) continue;
        std::optional<std::uint32_t> receiver, sender;
        for (std::uint32_t m = instance.firstMember; m < instance.firstMember + 2; ++m) {
            const auto [rank, c] = all.members[m];
            const SliceIndex slice = m_input.graphs[rank.value]->collectives[c].slice;
            (isReceiveName(m_input.capture.ranks[rank.value].trace->name(slice)) ? receiver : sender) = m;
        }
        if (!receiver || !sender) continue;
        for (std::uint32_t e = job.firstEdge[group]; e < job.firstEdge[group + 1]; ++e) {
            if (job.from[e] / 2 == job.memberNode[*sender]) made.changes.push_back({e, true, -kNoStepNs});
        }
        const RankIndex waits = all.members[*receiver].rank;
        if (std::find(made.ranks.begin(), made.ranks.end(), waits) == made.ranks.end()) made.ranks.push_back(waits);
    }
    std::sort(made.ranks.begin(), made.ranks.end());
    keep(std::move(made));
}

}  // namespace

std::vector<WhatIfCandidate> findWhatIfs(const CandidateInput& input, const std::vector<std::int64_t>& durations,
                                         const CancelToken& cancel) {
    WhatIfs found(input, durations);
    for (const WhatIf whatIf :
         {WhatIf::IdleCores, WhatIf::CubeEfficiency, WhatIf::VectorEfficiency, WhatIf::FusedSequence}) {
        if (!cancel.cancelled()) found.addSavings(whatIf);
    }
    if (cancel.cancelled()) return {};
    found.addTinyKernels();
    found.addSynchronizations();
    found.addBalancedStages();
    found.addPipelineWaits();
    found.addTransfers();
    return found.take();
}

}  // namespace altiscope
