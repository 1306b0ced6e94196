#include "core/analysis/stragglers/straggler_graph.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <tuple>
#include <utility>

namespace altiscope {

namespace {

using Key = std::tuple<OperationType, std::int32_t, std::int32_t>;  // type, sequence, stage

constexpr std::uint32_t kNoNodeHere = 0xffffffffU;

bool isPeerToPeer(OperationType type) {
    return type == OperationType::ForwardSend || type == OperationType::ForwardRecv ||
           type == OperationType::BackwardSend || type == OperationType::BackwardRecv;
}

bool isOfGradients(OperationType type) {
    return type == OperationType::ParamsAllGather || type == OperationType::GradsReduceScatter ||
           type == OperationType::SeparateGradsAllReduce;
}

/// Makes the graph of a table from its first lane.
class GraphMaker {
public:
    GraphMaker(const std::vector<Operation>& operations, OperationSizes sizes, std::string file)
        : m_operations(operations), m_sizes(sizes), m_file(std::move(file)) {}

    Result<StragglerGraph> make() {
        if (auto error = addNodes()) return *std::move(error);
        if (auto error = fillLanes()) return *std::move(error);
        m_graph.dependencies.resize(m_graph.nodes.size());
        for (std::int32_t stage = 0; stage < m_graph.stages; ++stage) {
            for (const bool isForward : {true, false}) {
                if (auto error = bindTransfers(stage, isForward)) return *std::move(error);
            }
            addStreams(stage);
            addParameters(stage);
            addTail(stage);
        }
        if (auto error = makeGroups()) return *std::move(error);
        if (auto error = sortGroups()) return *std::move(error);
        return std::move(m_graph);
    }

private:
    using Nodes = std::vector<std::uint32_t>;

    Error error(const char* code, MessageParameters parameters) const {
        return {code, m_file, {}, std::move(parameters)};
    }

    const StragglerGraph::Node& node(std::uint32_t place) const { return m_graph.nodes[place]; }
    bool isEarlier(std::uint32_t a, std::uint32_t b) const {
        return std::tuple(node(a).start, node(a).sequence, node(a).type) <
               std::tuple(node(b).start, node(b).sequence, node(b).type);
    }
    /// Those of a stage, by time.
    Nodes ofTypes(std::int32_t stage, std::initializer_list<OperationType> types) const {
        Nodes found;
        for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
            if (node(i).stage == stage && std::find(types.begin(), types.end(), node(i).type) != types.end())
                found.push_back(i);
        }
        std::sort(found.begin(), found.end(), [this](std::uint32_t a, std::uint32_t b) { return isEarlier(a, b); });
        return found;
    }
    std::uint32_t at(OperationType type, std::int32_t sequence, std::int32_t stage) const {
        const auto found = m_places.find({type, sequence, stage});
        return found == m_places.end() ? kNoNodeHere : found->second;
    }
    void depend(std::uint32_t later, std::uint32_t earlier) {
        if (later != kNoNodeHere && earlier != kNoNodeHere) m_graph.dependencies[later].push_back(earlier);
    }
    void chain(const Nodes& nodes) {
        for (std::size_t i = 1; i < nodes.size(); ++i) depend(nodes[i], nodes[i - 1]);
    }
    bool hasPeers() const { return std::int64_t{m_graph.dpRanks} * m_sizes.cp > 1; }

    std::optional<Error> addNodes();
    std::optional<Error> fillLanes();
    std::optional<Error> bindTransfers(std::int32_t stage, bool isForward);
    void addStreams(std::int32_t stage);
    void addParameters(std::int32_t stage);
    void addTail(std::int32_t stage);
    std::optional<Error> makeGroups();
    std::optional<Error> sortGroups();

    const std::vector<Operation>& m_operations;
    OperationSizes m_sizes;
    const std::string m_file;
    StragglerGraph m_graph;
    std::map<Key, std::uint32_t> m_places;
    std::set<std::uint32_t> m_alone;  // transfers that nothing is paired with
    bool m_hasSeparateGrads = false;
};

std::optional<Error> GraphMaker::addNodes() {
    std::set<std::int64_t> steps;
    std::int32_t chunks = 0;
    for (const Operation& one : m_operations) {
        steps.insert(one.step);
        m_graph.dpRanks = std::max(m_graph.dpRanks, one.dpRank + 1);
        m_graph.stages = std::max(m_graph.stages, one.stage + 1);
        chunks = std::max(chunks, one.chunk + 1);
        m_hasSeparateGrads = m_hasSeparateGrads || one.type == OperationType::SeparateGradsAllReduce;
    }
    const auto check = [&](std::int32_t& wanted, std::int32_t found) {
        if (wanted == 0) wanted = found;
        return wanted == found;
    };
    if (!check(m_sizes.dp, m_graph.dpRanks) || !check(m_sizes.pp, m_graph.stages) || !check(m_sizes.vpp, chunks))
        return error("operations.sizes", {{"dp", std::to_string(m_graph.dpRanks)},
                                          {"pp", std::to_string(m_graph.stages)},
                                          {"vpp", std::to_string(chunks)}});
    m_graph.steps.assign(steps.begin(), steps.end());
    for (const Operation& one : m_operations) {
        if (one.step != m_graph.steps.front() || one.dpRank != 0) continue;
        const auto place = static_cast<std::uint32_t>(m_graph.nodes.size());
        if (!m_places.emplace(Key{one.type, one.sequence, one.stage}, place).second) continue;  // said by fillLanes
        m_graph.nodes.push_back(
            {one.type, one.sequence, one.stage, one.chunk, one.globalChunk, one.start, one.start + one.duration, 0});
    }
    return std::nullopt;
}

std::optional<Error> GraphMaker::fillLanes() {
    const std::size_t cells = m_graph.nodes.size() * m_graph.lanes();
    // One row for each node of each lane: what is more stands twice or is unknown, what is less lacks.
    const auto incomplete = [this](const Operation& one) {
        return error("operations.incomplete", {{"operation", std::string(operationTypeName(one.type))},
                                               {"sequence", std::to_string(one.sequence)},
                                               {"stage", std::to_string(one.stage)},
                                               {"dp_rank", std::to_string(one.dpRank)},
                                               {"step", std::to_string(one.step)}});
    };
    if (m_graph.lanes() > m_operations.size()) return incomplete(m_operations.back());
    if (cells > m_operations.size()) {
        Operation lacking = m_operations.back();
        std::map<std::pair<std::int64_t, std::int32_t>, std::size_t> rows;
        for (const Operation& one : m_operations) ++rows[{one.step, one.dpRank}];
        for (const auto& [lane, count] : rows) {
            if (count >= m_graph.nodes.size()) continue;
            lacking.step = lane.first;
            lacking.dpRank = lane.second;
            break;
        }
        return incomplete(lacking);
    }
    m_graph.start.resize(cells);
    m_graph.duration.resize(cells);
    m_graph.rankOf.assign(static_cast<std::size_t>(m_graph.dpRanks) * static_cast<std::size_t>(m_graph.stages), 0);
    std::vector<bool> isThere(cells);
    for (const Operation& one : m_operations) {
        const std::uint32_t place = at(one.type, one.sequence, one.stage);
        const auto step = static_cast<std::size_t>(
            std::lower_bound(m_graph.steps.begin(), m_graph.steps.end(), one.step) - m_graph.steps.begin());
        const std::size_t lane =
            step * static_cast<std::size_t>(m_graph.dpRanks) + static_cast<std::size_t>(one.dpRank);
        if (place == kNoNodeHere || isThere[place * m_graph.lanes() + lane]) return incomplete(one);
        const std::size_t cell = place * m_graph.lanes() + lane;
        isThere[cell] = true;
        m_graph.start[cell] = one.start;
        m_graph.duration[cell] = one.duration;
        m_graph.rankOf[static_cast<std::size_t>(one.dpRank) * static_cast<std::size_t>(m_graph.stages) +
                       static_cast<std::size_t>(one.stage)] = one.rank;
    }
    return std::nullopt;
}

/// Which computing each transfer of a direction belongs to, and so what waits for what.
std::optional<Error> GraphMaker::bindTransfers(std::int32_t stage, bool isForward) {
    constexpr double kSame = 5e-5;  // s: a transfer may begin or end so much beside the computing
    const OperationType compute = isForward ? OperationType::ForwardCompute : OperationType::BackwardCompute;
    const OperationType send = isForward ? OperationType::ForwardSend : OperationType::BackwardSend,
                        receive = isForward ? OperationType::ForwardRecv : OperationType::BackwardRecv;
    const Nodes computes = ofTypes(stage, {compute});
    double latest = -1e300, earliest = 1e300;
    for (const std::uint32_t one : computes) {
        latest = std::max(latest, double{node(one).start});
        earliest = std::min(earliest, double{node(one).end});
    }
    const std::int32_t chunks = m_sizes.vpp * m_graph.stages;
    for (const bool isSend : {true, false}) {
        Nodes kept;
        for (const std::uint32_t one : ofTypes(stage, {isSend ? send : receive})) {
            const bool isOfThem = isSend ? node(one).end >= earliest - kSame : node(one).start <= latest + kSame;
            if (isOfThem) kept.push_back(one);
            else m_alone.insert(one);
        }
        const bool isAtEnd = stage == 0 || stage == m_graph.stages - 1;
        const bool isAll = kept.size() == computes.size();
        const bool isOneLess = kept.size() + 1 == computes.size();
        if (!isAll && !(isAtEnd && (isOneLess || kept.empty())))
            return error("operations.pairs", {{"operation", std::string(operationTypeName(isSend ? send : receive))},
                                              {"stage", std::to_string(stage)},
                                              {"count", std::to_string(kept.size())},
                                              {"computes", std::to_string(computes.size())}});
        std::int32_t k = !isSend && isOneLess && !kept.empty() ? 1 : 0;
        for (const std::uint32_t one : kept) {
            const std::uint32_t own = at(compute, k, stage);
            if (own == kNoNodeHere)
                return error("operations.pairs",
                             {{"operation", std::string(operationTypeName(isSend ? send : receive))},
                              {"stage", std::to_string(stage)},
                              {"count", std::to_string(kept.size())},
                              {"computes", std::to_string(computes.size())}});
            // Forward a send goes up, and a receive comes from below.
            const std::int32_t peer = node(own).globalChunk + (isSend == isForward ? 1 : -1);
            if (peer < 0 || peer >= chunks) m_alone.insert(one);
            if (isSend) depend(one, own);
            else {
                depend(own, one);
                if (k > 0) depend(one, at(compute, k - 1, stage));
            }
            ++k;
        }
    }
    return std::nullopt;
}

/// Adds streams: their operations run one after the other.
void GraphMaker::addStreams(std::int32_t stage) {
    const Nodes computes = ofTypes(stage, {OperationType::ForwardCompute, OperationType::BackwardCompute});
    chain(computes);
    for (const OperationType type : {OperationType::ForwardSend, OperationType::ForwardRecv,
                                     OperationType::BackwardSend, OperationType::BackwardRecv})
        chain(ofTypes(stage, {type}));
    // The first transfers backward are posted with the one before the last forward computing of the warm-up.
    const auto first = std::find_if(computes.begin(), computes.end(), [this](std::uint32_t one) {
        return node(one).type == OperationType::BackwardCompute;
    });
    if (first != computes.end() && first - computes.begin() >= 2) {
        const std::uint32_t before = *(first - 2);
        depend(at(OperationType::BackwardRecv, 0, stage), before);
        depend(at(OperationType::BackwardSend, 0, stage), before);
    }
    if (hasPeers()) chain(ofTypes(stage, {OperationType::ParamsAllGather, OperationType::GradsReduceScatter}));
}

/// Parameters before the first computing of their chunk; gradients after the last.
void GraphMaker::addParameters(std::int32_t stage) {
    if (!hasPeers()) return;
    std::map<std::int32_t, std::uint32_t> gathers, forwards, backwards, scatters;
    for (const std::uint32_t one : ofTypes(stage, {OperationType::ParamsAllGather})) {
        const auto [last, isNew] = gathers.try_emplace(node(one).chunk, one);
        if (!isNew && node(last->second).sequence < node(one).sequence) last->second = one;
    }
    for (const std::uint32_t one : ofTypes(stage, {OperationType::ForwardCompute}))
        forwards.try_emplace(node(one).chunk, one);
    for (const auto& [chunk, gather] : gathers) {
        if (const auto compute = forwards.find(chunk); compute != forwards.end()) depend(compute->second, gather);
    }
    if (!m_hasSeparateGrads) return;
    for (const std::uint32_t one : ofTypes(stage, {OperationType::BackwardCompute})) {
        const auto [last, isNew] = backwards.try_emplace(node(one).chunk, one);
        if (!isNew && node(last->second).end < node(one).end) last->second = one;
    }
    for (const std::uint32_t one : ofTypes(stage, {OperationType::GradsReduceScatter}))
        scatters.try_emplace(node(one).chunk, one);
    for (const auto& [chunk, scatter] : scatters) {
        if (const auto compute = backwards.find(chunk); compute != backwards.end()) depend(scatter, compute->second);
    }
}

/// Adds the operations that follow the computing of a step.
void GraphMaker::addTail(std::int32_t stage) {
    std::uint32_t last = kNoNodeHere;
    for (const std::uint32_t one : ofTypes(stage, {OperationType::ForwardCompute, OperationType::BackwardCompute})) {
        if (last == kNoNodeHere || node(last).end < node(one).end) last = one;
    }
    Nodes tail;
    const auto add = [&](OperationType type) {
        Nodes all = ofTypes(stage, {type});
        std::sort(all.begin(), all.end(),
                  [this](std::uint32_t a, std::uint32_t b) { return node(a).sequence < node(b).sequence; });
        tail.insert(tail.end(), all.begin(), all.end());
    };
    add(OperationType::Gc);
    if (!tail.empty()) depend(tail.front(), last);
    const std::size_t layernorm = tail.size();
    add(OperationType::LayernormGradsAllReduce);
    if (stage == 0 || stage == m_graph.stages - 1) add(OperationType::EmbeddingGradsAllReduce);
    if (hasPeers() && m_hasSeparateGrads) {
        add(OperationType::SeparateGradsAllReduce);
        const Nodes scatters = ofTypes(stage, {OperationType::GradsReduceScatter});
        if (layernorm < tail.size() && !scatters.empty()) depend(tail[layernorm], scatters.back());
    } else if (hasPeers()) {
        add(OperationType::GradsReduceScatter);
    }
    add(OperationType::OptimizerClipMainGrad);
    add(OperationType::Optimizer);
    chain(tail);
}

std::optional<Error> GraphMaker::makeGroups() {
    std::map<std::pair<OperationType, std::int32_t>, std::uint32_t> shared;  // groups over stages, by type and sequence
    const auto join = [this](std::uint32_t one, std::uint32_t group) {
        m_graph.nodes[one].group = group;
        m_graph.groups[group].members.push_back(one);
    };
    const auto addGroup = [this](bool isTogether, bool isOverDp) {
        m_graph.groups.push_back({{}, isTogether, isOverDp});
        return static_cast<std::uint32_t>(m_graph.groups.size() - 1);
    };
    for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
        const OperationType type = node(i).type;
        if (isPeerToPeer(type)) {
            if (m_alone.contains(i)) join(i, addGroup(true, false));
        } else if (isOfGradients(type)) {
            join(i, addGroup(hasPeers(), hasPeers()));
        } else if (type == OperationType::OptimizerClipMainGrad || type == OperationType::EmbeddingGradsAllReduce) {
            const auto [group, isNew] = shared.try_emplace({type, node(i).sequence}, 0);
            if (isNew) group->second = addGroup(true, type == OperationType::OptimizerClipMainGrad);
            join(i, group->second);
        } else {
            join(i, addGroup(false, false));
        }
    }
    // The n-th of a stage goes with the n-th of the next one.
    const auto paired = [this](OperationType type, std::int32_t stage) {
        Nodes found = ofTypes(stage, {type});
        std::erase_if(found, [this](std::uint32_t one) { return m_alone.contains(one); });
        return found;
    };
    for (const auto& [lower, upper] : {std::pair(OperationType::ForwardSend, OperationType::ForwardRecv),
                                       std::pair(OperationType::BackwardRecv, OperationType::BackwardSend)}) {
        for (std::int32_t stage = 0; stage < m_graph.stages; ++stage) {
            const Nodes first = paired(lower, stage), second = paired(upper, (stage + 1) % m_graph.stages);
            if (first.size() != second.size())
                return error("operations.pairs", {{"operation", std::string(operationTypeName(lower))},
                                                  {"stage", std::to_string(stage)},
                                                  {"count", std::to_string(first.size())},
                                                  {"computes", std::to_string(second.size())}});
            for (std::size_t i = 0; i < first.size(); ++i) {
                const std::uint32_t group = addGroup(true, false);
                join(first[i], group);
                join(second[i], group);
            }
        }
    }
    return std::nullopt;
}

std::optional<Error> GraphMaker::sortGroups() {
    const std::size_t count = m_graph.groups.size();
    std::vector<std::uint32_t> missing(count);
    std::vector<std::vector<std::uint32_t>> later(count);
    for (std::uint32_t i = 0; i < m_graph.nodes.size(); ++i) {
        for (const std::uint32_t earlier : m_graph.dependencies[i]) {
            later[node(earlier).group].push_back(node(i).group);
            ++missing[node(i).group];
        }
    }
    for (std::uint32_t group = 0; group < count; ++group) {
        if (missing[group] == 0) m_graph.order.push_back(group);
    }
    for (std::size_t i = 0; i < m_graph.order.size(); ++i) {
        for (const std::uint32_t group : later[m_graph.order[i]]) {
            if (--missing[group] == 0) m_graph.order.push_back(group);
        }
    }
    if (m_graph.order.size() == count) return std::nullopt;
    const auto left = std::find_if(missing.begin(), missing.end(), [](std::uint32_t number) { return number > 0; });
    const StragglerGraph::Node& one =
        node(m_graph.groups[static_cast<std::size_t>(left - missing.begin())].members.front());
    return error("operations.circle", {{"operation", std::string(operationTypeName(one.type))},
                                       {"sequence", std::to_string(one.sequence)},
                                       {"stage", std::to_string(one.stage)}});
}

}  // namespace

Result<StragglerGraph> stragglerGraph(const std::vector<Operation>& operations, OperationSizes sizes,
                                      const std::string& file) {
    return GraphMaker(operations, sizes, file).make();
}

}  // namespace altiscope
