#include "core/analysis/slices/flow_bundles.h"

#include <algorithm>
#include <unordered_map>

namespace altiscope {

namespace {

/// Nodes and flows that may be looked at before pixels are taken together: some milliseconds.
constexpr std::size_t kMaxEffort = 60'000;

struct BundleKey {
    std::uint32_t category;
    std::int32_t from, to, fromCell, toCell;
    bool operator==(const BundleKey&) const = default;
};

struct BundleKeyHash {
    std::size_t operator()(const BundleKey& key) const noexcept {
        std::uint64_t hash = key.category;
        for (const std::int32_t part : {key.from, key.to, key.fromCell, key.toCell}) {
            hash = (hash ^ static_cast<std::uint32_t>(part)) * 0x9e3779b97f4a7c15ULL;
            hash ^= hash >> 29;
        }
        return static_cast<std::size_t>(hash);
    }
};

/// One attempt with cells of one size.
class Bundler {
public:
    Bundler(const FlowRequest& request, int cellPx, bool isLast)
        : m_request(request), m_cellPx(cellPx), m_cells((request.widthPx + cellPx - 1) / cellPx), m_isLast(isLast) {}

    /// @return False if there is too much of it.
    bool add(std::uint32_t part);
    bool isTooMuchWork() const { return m_effort > kMaxEffort; }
    std::vector<FlowBundle> take() { return std::move(m_bundles); }

private:
    int cellOf(std::int64_t time, const FlowPart& part) const {
        return flowCell({time}, part.window, m_request.widthPx, m_cellPx);
    }
    enum class Coverage : std::uint8_t { No, Some, All };
    static Coverage coverageOf(const FlowPart& part, const FlowNode& node);
    bool inSight(int from, int to) const { return !(from < 0 && to < 0) && !(from >= m_cells && to >= m_cells); }
    void count(std::uint32_t part, int from, int to, std::uint32_t flow, std::uint64_t flows);
    double xOf(std::int64_t time, TimeRange window) const;

    const FlowRequest& m_request;
    int m_cellPx, m_cells;
    bool m_isLast;
    std::size_t m_effort = 0;
    std::vector<FlowBundle> m_bundles;
    std::unordered_map<BundleKey, std::size_t, BundleKeyHash> m_places;
    std::vector<std::uint32_t> m_stack;
};

/// How many of a node's flows have an end in the range that they must touch.
Bundler::Coverage Bundler::coverageOf(const FlowPart& part, const FlowNode& node) {
    if (!part.only) return Coverage::All;
    const auto touches = [&](std::int64_t first, std::int64_t last) {
        return first < part.only->end.value && last >= part.only->begin.value;
    };
    const auto lies = [&](std::int64_t first, std::int64_t last) {
        return first >= part.only->begin.value && last < part.only->end.value;
    };
    if (lies(node.fromFirst, node.fromLast) || lies(node.toFirst + part.toLater, node.toLast + part.toLater))
        return Coverage::All;
    return touches(node.fromFirst, node.fromLast) || touches(node.toFirst + part.toLater, node.toLast + part.toLater)
               ? Coverage::Some
               : Coverage::No;
}

double Bundler::xOf(std::int64_t time, TimeRange window) const {
    const double width = m_request.widthPx;
    const double x =
        static_cast<double>(time - window.begin.value) * width / static_cast<double>(window.length().value);
    return std::clamp(x, -kFlowWidths * width, (kFlowWidths + 1) * width);
}

void Bundler::count(std::uint32_t part, int from, int to, std::uint32_t flow, std::uint64_t flows) {
    const FlowPart& of = m_request.parts[part];
    const auto [known, isNew] = m_places.emplace(BundleKey{of.category, of.from, of.to, from, to}, m_bundles.size());
    if (isNew) {
        const TraceColumns& columns = of.index->trace().columns();
        m_bundles.push_back({of.category, of.from, of.to, xOf(columns.flowFromTime[flow], of.window),
                             xOf(columns.flowToTime[flow] + of.toLater, of.window), 0, part, flow});
    }
    m_bundles[known->second].count += flows;
}

bool Bundler::add(std::uint32_t part) {
    const FlowPart& of = m_request.parts[part];
    const FlowIndex& index = *of.index;
    const TraceColumns& columns = index.trace().columns();
    m_stack.assign(1, index.lanes()[of.lane].firstNode);
    while (!m_stack.empty()) {
        const std::uint32_t at = m_stack.back();
        m_stack.pop_back();
        const FlowNode& node = index.nodes()[at];
        if (!m_isLast && (++m_effort > kMaxEffort || m_bundles.size() > m_request.most)) return false;
        const int fromFirst = cellOf(node.fromFirst, of), fromLast = cellOf(node.fromLast, of);
        const int toFirst = cellOf(node.toFirst + of.toLater, of), toLast = cellOf(node.toLast + of.toLater, of);
        if ((fromLast < 0 && toLast < 0) || (fromFirst >= m_cells && toFirst >= m_cells)) continue;
        const Coverage selected = coverageOf(of, node);
        if (selected == Coverage::No) continue;
        if (fromFirst == fromLast && toFirst == toLast && selected == Coverage::All) {
            count(part, fromFirst, toFirst, index.order()[node.first], node.count);
        } else if (node.second != 0) {
            m_stack.push_back(node.second);
            m_stack.push_back(at + 1);
        } else {
            m_effort += node.count;
            for (const std::uint32_t flow : index.order().subspan(node.first, node.count)) {
                const std::int64_t toTime = columns.flowToTime[flow] + of.toLater;
                const int from = cellOf(columns.flowFromTime[flow], of), to = cellOf(toTime, of);
                const auto isWithin = [&](std::int64_t time) {
                    return time >= of.only->begin.value && time < of.only->end.value;
                };
                if (selected == Coverage::Some && !isWithin(columns.flowFromTime[flow]) && !isWithin(toTime)) continue;
                if (inSight(from, to)) count(part, from, to, flow, 1);
            }
        }
    }
    return true;
}

}  // namespace

int flowCell(TimeNs time, TimeRange window, int widthPx, int cellPx) {
    const std::int64_t length = window.length().value;
    if (time < window.begin)
        return -static_cast<int>(
            std::min<std::int64_t>((window.begin.value - time.value - 1) / length + 1, kFlowWidths));
    const std::int64_t passed = time.value - window.begin.value;
    if (passed >= length)
        return (widthPx + cellPx - 1) / cellPx +
               static_cast<int>(std::min<std::int64_t>(passed / length, kFlowWidths)) - 1;
    __extension__ using Wide = __int128;
    return static_cast<int>(static_cast<Wide>(passed) * widthPx / length) / cellPx;
}

FlowBundles bundleFlows(const FlowRequest& request, const CancelToken& cancel) {
    for (int cell = 1;;) {
        const bool isLast = cell >= request.widthPx;
        Bundler bundler(request, cell, isLast);
        bool fits = true;
        for (std::uint32_t part = 0; part < request.parts.size() && fits; ++part) {
            if (cancel.cancelled()) return {.cellPx = cell, .bundles = {}, .cancelled = true};
            fits = bundler.add(part);
        }
        if (fits) return {.cellPx = cell, .bundles = bundler.take(), .cancelled = false};
        // What is far too much is not tried often.
        cell *= bundler.isTooMuchWork() ? 4 : 2;
    }
}

}  // namespace altiscope
