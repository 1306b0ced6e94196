#pragma once

#include "core/base/values/result.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Types of the operations of a training step, as tables of StragglerAnalysis name them.
enum class OperationType : std::uint8_t {
    ForwardCompute,
    BackwardCompute,
    ForwardSend,
    ForwardRecv,
    BackwardSend,
    BackwardRecv,
    ParamsAllGather,
    GradsReduceScatter,
    SeparateGradsAllReduce,
    EmbeddingGradsAllReduce,
    LayernormGradsAllReduce,
    OptimizerClipMainGrad,
    Gc,
    Optimizer,
};
inline constexpr std::size_t kOperationTypes = 14;
std::string_view operationTypeName(OperationType type);  ///< "forward-compute"

/// One operation of one rank and step. Times are as the tables hold them: seconds in single precision.
struct Operation {
    std::int64_t step = 0;
    std::int32_t dpRank = 0, stage = 0, rank = 0;
    std::int32_t sequence = 0;      ///< seq_id: number within its type and stage.
    std::int32_t chunk = -1;        ///< mc: virtual stage on its rank; -1: it is of none.
    std::int32_t globalChunk = -1;  ///< gmc: virtual stage of the model; -1: it is of none.
    OperationType type = OperationType::ForwardCompute;
    float start = 0, duration = 0;
};

/// Reads a table in CSV with the columns dp_rank, stage, rank, step, optype, start_ts, duration, seq_id, mc and gmc, in
/// any order and beside others.
/// @param file  Name for errors.
/// @return Error "operations.heading" (what lacks), "operations.row" (with its row) or "operations.empty". O(bytes).
Result<std::vector<Operation>> readOperations(std::string_view csv, const std::string& file);

}  // namespace altiscope
