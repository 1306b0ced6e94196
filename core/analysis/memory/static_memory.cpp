#include "core/analysis/memory/static_memory.h"

#include "core/analysis/support/saturating.h"

#include <algorithm>
#include <limits>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr RowKind kStaticRows = RowKind::StaticMemory;
constexpr auto kGraph = fixedColumn(kStaticRows, "graph");
constexpr auto kNode = fixedColumn(kStaticRows, "name");
constexpr auto kFirstNode = fixedColumn(kStaticRows, "node_start");
constexpr auto kLastNode = fixedColumn(kStaticRows, "node_end");
constexpr auto kNodeSize = fixedColumn(kStaticRows, "size");

/// "To the end of the graph", as files write it: the largest number of 32 bits. Others are no nodes.
constexpr std::int64_t kNoNode = 4294967295;

std::optional<std::int64_t> nodeOf(const RowTable& table, std::size_t column, std::size_t row) {
    const auto node = table.integer(column, row);
    return node && 0 <= *node && *node < kNoNode ? node : std::nullopt;
}

std::shared_ptr<const MemorySeries> curveOf(const RowTable& table, const StaticGraph& graph) {
    std::map<std::int64_t, std::int64_t> changes;
    changes[0];
    changes[graph.lastNode];
    for (const std::uint32_t row : graph.rows) {
        const auto first = nodeOf(table, kFirstNode, row), last = nodeOf(table, kLastNode, row),
                   size = table.integer(kNodeSize, row);
        if (!size || (last && *last < first.value_or(0))) continue;
        addSaturated(changes[first.value_or(0)], *size);
        // After the last node of all nothing needs to be given back.
        if (last && *last < graph.lastNode)
            addSaturated(changes[*last + 1], -std::max(*size, -std::numeric_limits<std::int64_t>::max()));
    }
    std::vector<std::int64_t> places, values;
    std::int64_t sum = 0;
    for (const auto& [node, change] : changes) {
        addSaturated(sum, change);
        places.push_back(node);
        values.push_back(sum);
    }
    return std::make_shared<const MemorySeries>(MemoryQuantity::Allocated, std::move(places), std::move(values));
}

}  // namespace

std::vector<StaticGraph> staticGraphs(const RowTables& rows) {
    const RowTable* table = rows.find(kStaticRows);
    if (table == nullptr) return {};
    std::map<std::string, StaticGraph> graphs;
    for (std::size_t row = 0; row < table->size(); ++row) {
        const auto name = table->text(kGraph, row), node = table->text(kNode, row);
        const std::string graphName(name ? rows.text(*name) : std::string_view());
        StaticGraph& graph = graphs[graphName];
        graph.name = graphName;
        if (node && rows.text(*node) == "TOTAL") {
            graph.total = table->integer(kNodeSize, row);
            continue;
        }
        graph.rows.push_back(static_cast<std::uint32_t>(row));
        for (const std::size_t column : {kFirstNode, kLastNode})
            graph.lastNode = std::max(graph.lastNode, nodeOf(*table, column, row).value_or(0));
    }
    std::vector<StaticGraph> list;
    for (auto& [name, graph] : graphs) {
        graph.curve = curveOf(*table, graph);
        list.push_back(std::move(graph));
    }
    return list;
}

}  // namespace altiscope
