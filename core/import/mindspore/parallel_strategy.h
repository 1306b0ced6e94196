#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/files/profiler_info.h"

#include <filesystem>
#include <string_view>

namespace altiscope::reader {

/// Adds what parallel_strategy_{rank}.json says: how the job was divided ("parallel_strategy.stageDevices"), how many
/// operators and parameters the graph has, and of each operator that is divided, communicates, or was put in to divide
/// others, under kStrategyOperatorPrefix, a JSON object. It has those of `type`, `strategy`, `group`, `ranks`, `role`
/// ("gradient_aggregation", "redistribution") and `shape` that the file states. Faults go to `diagnostics` as
/// readMetadata() says, and "table.broken" (lost) for operators that are none.
/// @note  O(file); its text is held, of at most 64 MiB. Source: core/import/mindspore/FORMAT.md section 3.
void addParallelStrategy(const std::filesystem::path& path, std::string_view name, Metadata& metadata,
                         Diagnostics& diagnostics);

}  // namespace altiscope::reader
