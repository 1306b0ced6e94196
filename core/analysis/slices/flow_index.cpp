#include "core/analysis/slices/flow_index.h"

#include "core/base/threads/parallel.h"

#include <algorithm>
#include <limits>
#include <map>
#include <tuple>

namespace altiscope {

namespace {

/// Looking at this many flows costs no more than another level of nodes would.
constexpr std::uint32_t kFlowsInLeaf = 16;
constexpr std::uint32_t kNoRun = 0xffffffffU;
constexpr std::size_t kFlowsBetweenPolls = std::size_t{1} << 18;

struct FlowTimes {
    std::int64_t from, to;
    std::uint32_t flow;
};

/// The run of the slice at one end of each flow. `bySlice` are the flows by that slice, so that one walk over the runs
/// finds all. Incomplete if cancelled.
std::vector<std::uint32_t> runsOfEnds(const TraceStore& trace, std::span<const std::uint32_t> bySlice,
                                      std::span<const std::uint32_t> slices, const CancelToken& cancel) {
    std::vector<std::uint32_t> runs(slices.size(), kNoRun);
    std::uint32_t run = 0;
    std::size_t seen = 0;
    for (const std::uint32_t flow : bySlice) {
        if (++seen % kFlowsBetweenPolls == 0 && cancel.cancelled()) return runs;
        const std::uint32_t slice = slices[flow];
        if (slice == kNoSlice.value) break;
        while (slice >= trace.runs()[run].first + trace.runs()[run].count) ++run;
        runs[flow] = run;
    }
    return runs;
}

/// Puts points in order and makes the nodes over them.
class LaneTree {
public:
    LaneTree(std::span<FlowTimes> points, const CancelToken& cancel) : m_points(points), m_cancel(cancel) {
        m_nodes.reserve(points.size() * 2 / kFlowsInLeaf + 1);
        add(0, static_cast<std::uint32_t>(points.size()));
    }
    std::vector<FlowNode> take() { return std::move(m_nodes); }

private:
    std::uint32_t add(std::uint32_t first, std::uint32_t count) {
        const auto place = static_cast<std::uint32_t>(m_nodes.size());
        const auto part = m_points.subspan(first, count);
        constexpr auto kMax = std::numeric_limits<std::int64_t>::max();
        FlowNode node{kMax, -kMax, kMax, -kMax, first, count, 0, 0};
        for (const FlowTimes& point : part) {
            node.fromFirst = std::min(node.fromFirst, point.from);
            node.fromLast = std::max(node.fromLast, point.from);
            node.toFirst = std::min(node.toFirst, point.to);
            node.toLast = std::max(node.toLast, point.to);
        }
        m_nodes.push_back(node);
        if (count <= kFlowsInLeaf || m_cancel.cancelled()) return place;
        const std::uint32_t half = count / 2;
        const auto middle = part.begin() + half;
        if (node.fromLast - node.fromFirst >= node.toLast - node.toFirst) {
            std::nth_element(part.begin(), middle, part.end(),
                             [](const FlowTimes& a, const FlowTimes& b) { return a.from < b.from; });
        } else {
            std::nth_element(part.begin(), middle, part.end(),
                             [](const FlowTimes& a, const FlowTimes& b) { return a.to < b.to; });
        }
        add(first, half);
        const std::uint32_t second = add(first + half, count - half);
        m_nodes[place].second = second;
        return place;
    }

    std::span<FlowTimes> m_points;
    const CancelToken& m_cancel;
    std::vector<FlowNode> m_nodes;
};

}  // namespace

std::shared_ptr<const FlowIndex> FlowIndex::make(std::shared_ptr<const TraceStore> trace, const CancelToken& cancel) {
    const TraceColumns& columns = trace->columns();
    const std::size_t flows = trace->flowCount();
    const auto fromRuns = runsOfEnds(*trace, columns.flowsByFrom.span(), columns.flowFrom.span(), cancel);
    const auto toRuns = runsOfEnds(*trace, columns.flowsByTo.span(), columns.flowTo.span(), cancel);
    auto index = std::make_shared<FlowIndex>();
    index->m_trace = trace;

    using Key = std::tuple<std::uint32_t, std::uint32_t, std::uint32_t>;
    std::map<Key, std::uint32_t> numbers;
    std::map<std::uint32_t, FlowCategory> categories;
    std::vector<std::uint32_t> laneOf(flows, kNoRun);
    Key last{};
    std::uint32_t lastNumber = kNoRun;
    for (std::uint32_t flow = 0; flow < flows; ++flow) {
        if (flow % kFlowsBetweenPolls == 0 && cancel.cancelled()) return nullptr;
        const StringId name = columns.flowCategory[flow];
        FlowCategory& category = categories[name.value];
        category.name = name;
        if (fromRuns[flow] == kNoRun || toRuns[flow] == kNoRun) {
            ++category.loose;
            continue;
        }
        ++category.flows;
        const Key key{name.value, fromRuns[flow], toRuns[flow]};
        if (lastNumber == kNoRun || key != last) {
            last = key;
            const auto [known, isNew] = numbers.emplace(key, static_cast<std::uint32_t>(index->m_lanes.size()));
            lastNumber = known->second;
            if (isNew) index->m_lanes.push_back({name, fromRuns[flow], toRuns[flow], 0, 0});
        }
        laneOf[flow] = lastNumber;
        ++index->m_lanes[lastNumber].count;
    }
    for (const auto& [id, category] : categories) index->m_categories.push_back(category);

    std::vector<std::uint32_t> begins(index->m_lanes.size() + 1, 0);
    for (std::size_t lane = 0; lane < index->m_lanes.size(); ++lane)
        begins[lane + 1] = begins[lane] + index->m_lanes[lane].count;
    index->m_order.resize(begins.back());
    std::vector<std::uint32_t> next(begins.begin(), begins.end() - 1);
    for (std::uint32_t flow = 0; flow < flows; ++flow) {
        if (laneOf[flow] != kNoRun) index->m_order[next[laneOf[flow]]++] = flow;
    }

    std::vector<std::vector<FlowNode>> nodes(index->m_lanes.size());
    parallelFor(nodes.size(), [&](std::size_t lane) {
        const std::span<std::uint32_t> order =
            std::span(index->m_order).subspan(begins[lane], index->m_lanes[lane].count);
        std::vector<FlowTimes> points;
        points.reserve(order.size());
        for (const std::uint32_t flow : order)
            points.push_back({columns.flowFromTime[flow], columns.flowToTime[flow], flow});
        nodes[lane] = LaneTree(points, cancel).take();
        for (std::size_t i = 0; i < points.size(); ++i) order[i] = points[i].flow;
    });
    if (cancel.cancelled()) return nullptr;
    for (std::size_t lane = 0; lane < nodes.size(); ++lane) {
        const auto base = static_cast<std::uint32_t>(index->m_nodes.size());
        index->m_lanes[lane].firstNode = base;
        for (FlowNode& node : nodes[lane]) {
            node.first += begins[lane];
            if (node.second != 0) node.second += base;
            index->m_nodes.push_back(node);
        }
        nodes[lane] = {};
    }
    return index;
}

}  // namespace altiscope
