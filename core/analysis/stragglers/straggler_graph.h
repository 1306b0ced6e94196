#pragma once

#include "core/analysis/stragglers/operation_table.h"
#include "core/analysis/stragglers/straggler_account.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Operations of one step of a job as a graph, the same for all lanes: a lane is a step of a dp rank. Source of the
/// rules: the paper that straggler_account.h names, and its published program.
struct StragglerGraph {
    struct Node {
        OperationType type = OperationType::ForwardCompute;
        std::int32_t sequence = 0, stage = 0, chunk = 0, globalChunk = 0;
        float start = 0, end = 0;  ///< Of the lane that the graph is made from.
        std::uint32_t group = 0;
    };
    /// Nodes that end together, or one that runs for itself.
    struct Group {
        std::vector<std::uint32_t> members;
        bool isTogether = false;  ///< They wait for each other and then take their transfer.
        bool isOverDp = false;    ///< Also for those of all dp ranks of the step.
    };
    std::vector<Node> nodes;
    std::vector<std::vector<std::uint32_t>> dependencies;  ///< By node: those that end before it starts.
    std::vector<Group> groups;
    std::vector<std::uint32_t> order;  ///< Groups: what a group depends on stands before it.
    std::vector<std::int64_t> steps;   ///< Ascending.
    std::int32_t dpRanks = 0, stages = 0;
    std::size_t lanes() const { return steps.size() * static_cast<std::size_t>(dpRanks); }
    /// By node * lanes() + lane; lane = place of the step * dpRanks + dp rank.
    std::vector<float> start, duration;
    std::vector<std::int32_t> rankOf;  ///< By dp rank * stages + stage.
};

Result<StragglerGraph> stragglerGraph(const std::vector<Operation>& operations, OperationSizes sizes,
                                      const std::string& file);

}  // namespace altiscope
