#include "core/report/databases/memory_rows.h"

#include "core/analysis/support/saturating.h"
#include "core/report/databases/database_schema.h"
#include "core/report/databases/database_texts.h"
#include "core/store/raw/graph_allocations.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

namespace {

DbValue numberOrNull(std::optional<std::int64_t> number) { return number ? DbValue(*number) : DbValue(nullptr); }

/// As in the text export: the device of the folder, if there is one.
std::int64_t memoryDevice(const DeliverableInput& input, const NamedCells& cells, std::size_t row) {
    const auto device = input.rank.info.deviceId ? input.rank.info.deviceId : cells.integer("device_id", row);
    return device.value_or(0);
}

/// How much an allocator had at a time.
struct MemoryState {
    std::string_view component;
    std::int64_t time = 0, device = 0;
    std::optional<std::int64_t> allocated, reserved, active, stream;
};

/// A size of a record, which may be any number.
std::int64_t bytesOf(std::uint64_t recorded) {
    return static_cast<std::int64_t>(recorded & static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()));
}

class MemoryRows {
public:
    MemoryRows(const DeliverableInput& input, SqliteFile& file)
        : m_input(input), m_file(file), m_texts(file, DatabaseTexts::kMemory) {
        // Events before the collection are in no table of the vendor.
        const auto& collections = input.tasks.collections;
        const std::int64_t begin = collections.empty() ? 0 : collections.front().wall;
        for (const GraphMemoryRecord& one : input.tasks.graphMemory) {
            if (one.time >= begin) m_graph.push_back(one);
        }
    }

    void add() {
        const std::vector<MemoryState> own = ofFramework();
        if (m_graph.empty()) {
            for (const MemoryState& one : own) addState(one);
        } else {
            addTogether(own);
        }
        addAllocations();
        for (const GraphAllocation& one : graphAllocations(m_graph)) addGraphAllocation(one);
    }

private:
    bool goesOn() const { return !m_input.cancel.cancelled() && m_file.state().ok(); }

    /// Where the graph engine allocated, the sums of both are made anew.
    std::vector<MemoryState> ofFramework() const {
        std::vector<MemoryState> states;
        const NamedCells cells(m_input.rank, RowKind::MemorySample);
        for (std::size_t row = 0; row < cells.size() && goesOn(); ++row) {
            const std::string_view component = cells.text("component", row).value_or(std::string_view());
            // The driver's count of the process is in NPU_MEM.
            if (component == "APP" || component == "GE") continue;
            if (!m_graph.empty() && component == kBoth) continue;
            states.push_back({component, cells.integer("ts", row).value_or(0), memoryDevice(m_input, cells, row),
                              cells.integer("allocated", row), cells.integer("reserved", row),
                              cells.integer("active", row), cells.integer("stream", row)});
        }
        return states;
    }

    void addState(const MemoryState& one) {
        if (!goesOn()) return;
        m_file.insert(ProfilerTable::MemoryRecord,
                      {m_texts.id(one.component), one.time, numberOrNull(one.allocated), numberOrNull(one.reserved),
                       numberOrNull(one.active), numberOrNull(one.stream), one.device});
    }

    using LastStates = std::map<std::int64_t, MemoryState>;  // by device
    /// A state, and the sum of it and of what the other allocator had last.
    void addWithSum(const MemoryState& one, const LastStates& others) {
        addState(one);
        if (one.component == kWorkspace) return;
        MemoryState sum = one;
        sum.component = kBoth;
        if (const auto other = others.find(one.device); other != others.end()) {
            const auto add = [](std::optional<std::int64_t>& to, const std::optional<std::int64_t>& more) {
                to = saturatedSum(to.value_or(0), more.value_or(0));
            };
            add(sum.allocated, other->second.allocated);
            add(sum.reserved, other->second.reserved);
            add(sum.active, other->second.active);
            if (sum.stream.value_or(0) == 0) sum.stream = other->second.stream;
        }
        addState(sum);
    }

    /// By time, of one time the framework's first.
    void addTogether(const std::vector<MemoryState>& own) {
        std::vector<MemoryState> ofGraph;
        for (const GraphMemoryRecord& one : m_graph)
            ofGraph.push_back(
                {"GE", one.time, one.device, bytesOf(one.allocated), bytesOf(one.reserved), 0, std::nullopt});
        std::stable_sort(ofGraph.begin(), ofGraph.end(),
                         [](const MemoryState& a, const MemoryState& b) { return a.time < b.time; });
        LastStates lastOwn, lastOfGraph;
        std::size_t next = 0;
        const auto addOwn = [&](const MemoryState& one) {
            addWithSum(one, lastOfGraph);
            if (one.component != kWorkspace) lastOwn[one.device] = one;
        };
        for (const MemoryState& one : ofGraph) {
            for (; next < own.size() && own[next].time <= one.time; ++next) addOwn(own[next]);
            addWithSum(one, lastOwn);
            lastOfGraph[one.device] = one;
        }
        for (; next < own.size(); ++next) addOwn(own[next]);
    }

    void addAllocations() {
        const NamedCells cells(m_input.rank, RowKind::Allocation);
        for (std::size_t row = 0; row < cells.size() && goesOn(); ++row) {
            const auto number = [&](std::string_view column) { return numberOrNull(cells.integer(column, row)); };
            // The graph engine's come behind; nothing says how much of theirs was active.
            if (!m_input.tasks.graphMemory.empty() && !cells.integer("alloc_active", row)) continue;
            const auto begin = cells.integer("alloc_ts", row);
            const auto since = [&](std::string_view column) {
                const auto end = cells.integer(column, row);
                return begin && end ? DbValue(*end - *begin) : DbValue(nullptr);
            };
            m_file.insert(ProfilerTable::OpMemory,
                          {m_texts.id(cells.text("name", row).value_or(std::string_view())), number("size"),
                           number("alloc_ts"), number("release_ts"), number("active_release_ts"), since("release_ts"),
                           since("active_release_ts"), number("alloc_allocated"), number("alloc_reserved"),
                           number("alloc_active"), number("release_allocated"), number("release_reserved"),
                           number("release_active"), number("stream"), memoryDevice(m_input, cells, row)});
        }
    }

    void addGraphAllocation(const GraphAllocation& one) {
        if (!goesOn()) return;
        const GraphMemoryRecord& begin = *one.begin;
        const auto ofEnd = [&one](auto value) {
            return one.end == nullptr ? DbValue(nullptr) : DbValue(value(*one.end));
        };
        m_file.insert(ProfilerTable::OpMemory,
                      {m_texts.id(begin.op), begin.bytes, begin.time, ofEnd([](const auto& end) { return end.time; }),
                       nullptr, ofEnd([&begin](const auto& end) { return end.time - begin.time; }), nullptr,
                       begin.allocated, begin.reserved, nullptr, ofEnd([](const auto& end) { return end.allocated; }),
                       ofEnd([](const auto& end) { return end.reserved; }), nullptr, nullptr, begin.device});
    }

    static constexpr std::string_view kBoth = "PTA+GE", kWorkspace = "WORKSPACE";
    const DeliverableInput& m_input;
    SqliteFile& m_file;
    DatabaseTexts m_texts;
    std::vector<GraphMemoryRecord> m_graph;
};

}  // namespace

void addMemoryRows(const DeliverableInput& input, SqliteFile& file) { MemoryRows(input, file).add(); }

}  // namespace altiscope
