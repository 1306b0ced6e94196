#pragma once

#include "core/analysis/memory/memory_series.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Memory that a graph sets aside before it runs, along the numbers of its nodes.
struct StaticGraph {
    std::string name;
    std::int64_t lastNode = 0;          ///< The largest number that any row states.
    std::optional<std::int64_t> total;  ///< What the file's TOTAL row says; bytes.
    std::vector<std::uint32_t> rows;    ///< Of static_memory, without TOTAL; in the order of the source.
    /// Bytes in use (Allocated) at each node: the sum of the sizes of all rows whose first and last node it lies
    /// between, both included. A row without a last node lasts to the end of the graph.
    std::shared_ptr<const MemorySeries> curve;
};

/// By name; empty where the rank has none. Source of the rule: core/import/csv/FORMAT.md, static_op_mem. O(rows * log
/// rows).
std::vector<StaticGraph> staticGraphs(const RowTables& rows);

}  // namespace altiscope
