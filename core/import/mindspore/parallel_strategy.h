#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/files/profiler_info.h"

#include <filesystem>
#include <string_view>

namespace altiscope::reader {

/// Adds what parallel_strategy_{rank}.json says: how the job was divided ("parallel_strategy.stageDevices"), how many
/// operators and parameters the graph has, and of each operator that is divided, communicates, or was put in to divide
/// others, under kStrategyOperatorPrefix, a JSON object. It has those of `type`, `strategy`, `group`, `ranks`, `role`
/// ("gradient_aggregation", "redistribution") and `shape` that the file states. Faults go to `diagnostics` as
/// readMetadata() says, and "table.broken" (lost) for operators that are none. At most 10,000 operators are listed;
/// "parallel_strategy.operators_not_listed" counts the others that might be. A file above 64 MiB is "file.too_large"
/// (lost) but for how the job was divided.
/// @note  O(file); its text is held. Source: core/import/mindspore/FORMAT.md section 3.
void addParallelStrategy(const std::filesystem::path& path, std::string_view name, Metadata& metadata,
                         Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
