#pragma once

#include <string_view>

namespace altiscope::reader {

/// Keys of the metadata of operators in MindSpore's parallel_strategy_{rank}.json: this, and the operator's full name.
/// Values are JSON objects, see addParallelStrategy().
inline constexpr std::string_view kStrategyOperatorPrefix = "parallel_strategy.graph.";

}  // namespace altiscope::reader
