#include "core/import/database/db_flows.h"

#include "core/base/columns/keyed_sort.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace altiscope::reader {

namespace {

using Kind = DbFlowPoint::Kind;

/// Writes flows of one category.
class FlowWriter {
public:
    FlowWriter(Segment& segment, TraceBuilder::Names& names, std::string_view category)
        : m_segment(segment), m_category(names.text(category)) {}

    void add(FlowPoint point, const DbFlowPoint& end, FlowKey key) {
        m_segment.flows.push_back({end.track, point, m_category, end.time, key, end.pos});
    }
    /// One start, any number of finishes.
    void connect(const DbFlowPoint& start, std::span<const DbFlowPoint> finishes, FlowKey key) {
        if (finishes.empty()) return;
        add(FlowPoint::Start, start, key);
        for (const DbFlowPoint& finish : finishes) add(FlowPoint::Finish, finish, key);
    }

private:
    Segment& m_segment;
    ProvisionalText m_category;
};

/// The points of one id and kind. Points are sorted by (id, kind, time).
std::span<const DbFlowPoint> ofKind(std::span<const DbFlowPoint> group, Kind kind) {
    const auto [first, last] = std::equal_range(group.begin(), group.end(), kind, [](const auto& a, const auto& b) {
        const auto kindOf = [](const auto& x) {
            if constexpr (std::is_same_v<std::decay_t<decltype(x)>, Kind>) return x;
            else return x.kind;
        };
        return kindOf(a) < kindOf(b);
    });
    return {first, last};
}

}  // namespace

Segment connectRows(std::vector<DbFlowPoint> points, TraceBuilder::Names& names) {
    const auto byId = sortedNumbers(points.size(), [&](std::size_t i) { return sortKeyOf(points[i].id); }, {});
    std::vector<DbFlowPoint> group;
    Segment segment;
    segment.flows.reserve(points.size());
    FlowWriter hostToDevice(segment, names, "HostToDevice"), async(segment, names, "async_npu"),
        both(segment, names, "fwdbwd"), queue(segment, names, "async_task_queue"), marks(segment, names, "MsTx");
    for (std::size_t next = 0; next < byId.size();) {
        const std::uint64_t id = byId[next].key;
        group.clear();
        for (; next < byId.size() && byId[next].key == id; ++next) group.push_back(points[byId[next].number]);
        if (group.size() > 1)
            std::sort(group.begin(), group.end(), [](const DbFlowPoint& a, const DbFlowPoint& b) {
                return std::tie(a.kind, a.time, a.pos) < std::tie(b.kind, b.time, b.pos);
            });
        const FlowKey key{0, static_cast<std::uint64_t>(group.front().id)};

        const auto launches = ofKind(group, Kind::Launch), tasks = ofKind(group, Kind::Task),
                   operators = ofKind(group, Kind::Operator);
        if (!launches.empty()) hostToDevice.connect(launches.front(), tasks, key);
        // Ids of the framework and of launches may collide in old files: what two operators share is not a launch.
        if (operators.size() > 1) both.connect(operators.front(), operators.subspan(1), key);
        else if (operators.size() == 1 && !launches.empty() && !tasks.empty())
            async.connect(operators.front(), tasks.first(1), key);
        const auto marked = ofKind(group, Kind::Mark);
        if (!marked.empty()) marks.connect(marked.front(), tasks, key);
        const auto enqueues = ofKind(group, Kind::Enqueue);
        if (!enqueues.empty()) queue.connect(enqueues.front(), ofKind(group, Kind::Dequeue), key);
    }
    return segment;
}

}  // namespace altiscope::reader
