#include "core/analysis/stragglers/straggler_account.h"

#include "core/analysis/stragglers/straggler_graph.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

namespace altiscope {

namespace {

/// Whether its ideal is a median, since a few of them wait for causes that are not recorded.
bool isMedian(OperationType type) {
    return type != OperationType::ForwardCompute && type != OperationType::BackwardCompute &&
           type != OperationType::Gc && type != OperationType::Optimizer;
}

/// Both ends of a transfer are one kind.
OperationType wordedType(OperationType type) {
    return type == OperationType::ForwardRecv    ? OperationType::ForwardSend
           : type == OperationType::BackwardRecv ? OperationType::BackwardSend
                                                 : type;
}

/// As the published results call it.
std::string kindWord(OperationType kind) {
    if (kind == OperationType::ForwardSend) return "forward-pp-comm";
    if (kind == OperationType::BackwardSend) return "backward-pp-comm";
    return std::string(operationTypeName(kind));
}

/// Replays a graph with other durations. Times of tables are single precision, and so is what is computed of them
/// alone; replays and means are double.
class Stragglers {
public:
    explicit Stragglers(const StragglerGraph& graph) : m_graph(graph), m_lanes(graph.lanes()) {
        measure();
        findIdeals();
        m_ends.resize(m_graph.nodes.size() * m_lanes);
    }

    StragglerAccount account();

private:
    static constexpr auto kAll = [](const StragglerGraph::Node&, std::size_t) { return true; };
    static constexpr auto kNone = [](const StragglerGraph::Node&, std::size_t) { return false; };

    void measure();
    void findIdeals();
    /// By step, s.
    /// @param keepsOwn    Whether a node takes in a lane what it took; else its ideal.
    /// @param keepsDelay  Whether it begins as late as it did.
    template <class KeepsOwn, class KeepsDelay>
    std::vector<double> replay(KeepsOwn keepsOwn, KeepsDelay keepsDelay);
    template <class KeepsOwn>
    double meanOf(KeepsOwn keepsOwn) {
        return mean(replay(keepsOwn, kNone));
    }
    static double mean(const std::vector<double>& steps) {
        return std::accumulate(steps.begin(), steps.end(), 0.0) / static_cast<double>(steps.size());
    }
    template <class IsMeant>
    LossShare shareOf(IsMeant isMeant, double own, double ideal) {
        const auto others = [&](const StragglerGraph::Node& node, std::size_t lane) { return !isMeant(node, lane); };
        const double lost = own - ideal;
        if (lost == 0) return {};
        return {(own - meanOf(others)) / lost, (meanOf(isMeant) - ideal) / lost};
    }
    std::size_t dpOf(std::size_t lane) const { return lane % static_cast<std::size_t>(m_graph.dpRanks); }
    std::size_t stepOf(std::size_t lane) const { return lane / static_cast<std::size_t>(m_graph.dpRanks); }

    const StragglerGraph& m_graph;
    const std::size_t m_lanes;
    std::vector<float> m_own, m_delays;  // by node and lane: what a node takes by itself, and how late it begins
    std::array<double, kOperationTypes> m_ideal{};
    std::vector<double> m_recorded;  // by step
    std::vector<double> m_ends;      // of the replay under way
};

void Stragglers::measure() {
    constexpr float kApart = -0.010F;  // s: clocks that differ by more tell nothing
    const std::size_t nodes = m_graph.nodes.size();
    std::vector<float> begins(m_graph.steps.size(), std::numeric_limits<float>::max());
    std::vector<float> ends(m_graph.steps.size(), std::numeric_limits<float>::lowest());
    for (std::size_t cell = 0; cell < nodes * m_lanes; ++cell) {
        const std::size_t step = stepOf(cell % m_lanes);
        begins[step] = std::min(begins[step], m_graph.start[cell]);
        ends[step] = std::max(ends[step], m_graph.start[cell] + m_graph.duration[cell]);
    }
    for (std::size_t step = 0; step < begins.size(); ++step) m_recorded.push_back(double{ends[step] - begins[step]});
    m_own = m_graph.duration;
    m_delays.resize(nodes * m_lanes);
    for (std::size_t i = 0; i < nodes; ++i) {
        for (std::size_t lane = 0; lane < m_lanes; ++lane) {
            float ready = m_graph.dependencies[i].empty() ? begins[stepOf(lane)] : std::numeric_limits<float>::lowest();
            for (const std::uint32_t one : m_graph.dependencies[i]) {
                const std::size_t cell = one * m_lanes + lane;
                ready = std::max(ready, m_graph.start[cell] + m_graph.duration[cell]);
            }
            const float delay = m_graph.start[i * m_lanes + lane] - ready;
            m_delays[i * m_lanes + lane] = delay <= kApart ? 0 : delay;
        }
    }
    std::vector<float> latest(m_lanes);
    for (const StragglerGraph::Group& group : m_graph.groups) {
        if (!group.isTogether) continue;
        std::fill(latest.begin(), latest.end(), std::numeric_limits<float>::lowest());
        for (const std::uint32_t one : group.members) {
            for (std::size_t lane = 0; lane < m_lanes; ++lane)
                latest[lane] = std::max(latest[lane], m_graph.start[one * m_lanes + lane]);
        }
        if (group.isOverDp) {
            const auto dp = static_cast<std::size_t>(m_graph.dpRanks);
            for (std::size_t lane = 0; lane < m_lanes; lane += dp) {
                const auto first = latest.begin() + static_cast<std::ptrdiff_t>(lane);
                const auto last = first + static_cast<std::ptrdiff_t>(dp);
                std::fill(first, last, *std::max_element(first, last));
            }
        }
        for (const std::uint32_t one : group.members) {
            for (std::size_t lane = 0; lane < m_lanes; ++lane) {
                const std::size_t cell = one * m_lanes + lane;
                const float end = m_graph.start[cell] + m_graph.duration[cell], transfer = end - latest[lane];
                m_own[cell] = transfer <= kApart ? 0 : transfer;
            }
        }
    }
}

void Stragglers::findIdeals() {
    std::array<std::vector<float>, kOperationTypes> values;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        auto& of = values[static_cast<std::size_t>(m_graph.nodes[i].type)];
        const auto first = m_own.begin() + static_cast<std::ptrdiff_t>(i * m_lanes);
        of.insert(of.end(), first, first + static_cast<std::ptrdiff_t>(m_lanes));
    }
    for (std::size_t type = 0; type < kOperationTypes; ++type) {
        auto& of = values[type];
        if (of.empty()) continue;
        if (!isMedian(static_cast<OperationType>(type))) {
            double sum = 0;
            for (const float one : of) sum += double{one};
            m_ideal[type] = sum / static_cast<double>(of.size());
            continue;
        }
        const auto middle = of.begin() + static_cast<std::ptrdiff_t>(of.size() / 2);
        std::nth_element(of.begin(), middle, of.end());
        const float upper = *middle;
        const float lower = of.size() % 2 == 1 ? upper : *std::max_element(of.begin(), middle);
        m_ideal[type] = double{(lower + upper) / 2};
    }
}

template <class KeepsOwn, class KeepsDelay>
std::vector<double> Stragglers::replay(KeepsOwn keepsOwn, KeepsDelay keepsDelay) {
    const auto dp = static_cast<std::size_t>(m_graph.dpRanks);
    std::vector<double> starts, latest(m_lanes);
    for (const std::uint32_t place : m_graph.order) {
        const StragglerGraph::Group& group = m_graph.groups[place];
        starts.assign(group.members.size() * m_lanes, 0);
        std::fill(latest.begin(), latest.end(), -std::numeric_limits<double>::infinity());
        for (std::size_t member = 0; member < group.members.size(); ++member) {
            const std::uint32_t i = group.members[member];
            double* const start = starts.data() + member * m_lanes;
            const auto& earlier = m_graph.dependencies[i];
            for (std::size_t n = 0; n < earlier.size(); ++n) {
                const double* const end = m_ends.data() + earlier[n] * m_lanes;
                for (std::size_t lane = 0; lane < m_lanes; ++lane)
                    start[lane] = n == 0 ? end[lane] : std::max(start[lane], end[lane]);
            }
            for (std::size_t lane = 0; lane < m_lanes; ++lane) {
                if (keepsDelay(m_graph.nodes[i], lane)) start[lane] += double{m_delays[i * m_lanes + lane]};
                latest[lane] = std::max(latest[lane], start[lane]);
            }
        }
        for (std::size_t lane = 0; group.isOverDp && lane < m_lanes; lane += dp) {
            const auto first = latest.begin() + static_cast<std::ptrdiff_t>(lane);
            std::fill(first, first + static_cast<std::ptrdiff_t>(dp),
                      *std::max_element(first, first + static_cast<std::ptrdiff_t>(dp)));
        }
        for (std::size_t member = 0; member < group.members.size(); ++member) {
            const std::uint32_t i = group.members[member];
            const StragglerGraph::Node& node = m_graph.nodes[i];
            const double ideal = m_ideal[static_cast<std::size_t>(node.type)];
            const double* const start = group.isTogether ? latest.data() : starts.data() + member * m_lanes;
            for (std::size_t lane = 0; lane < m_lanes; ++lane) {
                const std::size_t cell = i * m_lanes + lane;
                m_ends[cell] = start[lane] + (keepsOwn(node, lane) ? double{m_own[cell]} : ideal);
            }
        }
    }
    std::vector<double> steps(m_graph.steps.size(), 0);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        if (m_graph.nodes[i].type != OperationType::Optimizer) continue;
        for (std::size_t lane = 0; lane < m_lanes; ++lane)
            steps[stepOf(lane)] = std::max(steps[stepOf(lane)], m_ends[i * m_lanes + lane]);
    }
    return steps;
}

StragglerAccount Stragglers::account() {
    StragglerAccount account;
    account.recorded = mean(m_recorded);
    const std::vector<double> replayed = replay(kAll, kAll);
    account.replayed = mean(replayed);
    for (std::size_t step = 0; step < replayed.size(); ++step)
        account.replayError = std::max(account.replayError, std::abs(replayed[step] / m_recorded[step] - 1));
    account.withoutDelay = meanOf(kAll);
    account.ideal = meanOf(kNone);
    const auto slowdown = [&](double time) { return account.ideal > 0 ? time / account.ideal : 1; };
    account.slowdown = slowdown(account.withoutDelay);
    std::set<OperationType> kinds;
    for (const StragglerGraph::Node& node : m_graph.nodes) kinds.insert(wordedType(node.type));
    for (const OperationType kind : kinds)
        account.byType[kindWord(kind)] =
            slowdown(meanOf([kind](const auto& node, std::size_t) { return wordedType(node.type) == kind; }));
    for (std::int32_t stage = 0; stage < m_graph.stages; ++stage)
        account.byStage[stage] =
            slowdown(meanOf([stage](const auto& node, std::size_t) { return node.stage == stage; }));
    for (std::int32_t dp = 0; dp < m_graph.dpRanks; ++dp)
        account.byDpRank[dp] = slowdown(
            meanOf([this, dp](const auto&, std::size_t lane) { return dpOf(lane) == static_cast<std::size_t>(dp); }));
    struct Worker {
        double slowdown;
        std::int32_t rank, dp, stage;
    };
    std::vector<Worker> workers;
    for (std::int32_t dp = 0; dp < m_graph.dpRanks; ++dp) {
        for (std::int32_t stage = 0; stage < m_graph.stages; ++stage) {
            const std::int32_t rank =
                m_graph.rankOf[static_cast<std::size_t>(dp) * static_cast<std::size_t>(m_graph.stages) +
                               static_cast<std::size_t>(stage)];
            workers.push_back({std::min(account.byStage[stage], account.byDpRank[dp]), rank, dp, stage});
            account.byRank[rank] = workers.back().slowdown;
            const auto delays = replay(kAll, [this, dp, stage](const auto& node, std::size_t lane) {
                return node.stage == stage && dpOf(lane) == static_cast<std::size_t>(dp);
            });
            account.delayByRank[rank] = account.withoutDelay > 0 ? mean(delays) / account.withoutDelay : 1;
        }
    }
    std::stable_sort(workers.begin(), workers.end(), [](const Worker& a, const Worker& b) {
        return a.slowdown != b.slowdown ? a.slowdown > b.slowdown : a.rank < b.rank;
    });
    constexpr double kWorst = 0.03;
    workers.resize(static_cast<std::size_t>(std::ceil(kWorst * static_cast<double>(workers.size()))));
    for (const Worker& worker : workers) account.worstRanks.push_back(worker.rank);
    account.worst = shareOf(
        [&](const auto& node, std::size_t lane) {
            return std::any_of(workers.begin(), workers.end(), [&](const Worker& worker) {
                return worker.stage == node.stage && dpOf(lane) == static_cast<std::size_t>(worker.dp);
            });
        },
        account.withoutDelay, account.ideal);
    const std::int32_t last = m_graph.stages - 1;
    account.lastStage = shareOf([last](const auto& node, std::size_t) { return node.stage == last; },
                                account.withoutDelay, account.ideal);
    return account;
}

}  // namespace

Result<StragglerAccount> stragglerAccount(const std::vector<Operation>& operations, OperationSizes sizes,
                                          const std::string& file) {
    auto graph = stragglerGraph(operations, sizes, file);
    if (!graph.ok()) return graph.as<StragglerAccount>();
    return Stragglers(graph.value()).account();
}

}  // namespace altiscope
