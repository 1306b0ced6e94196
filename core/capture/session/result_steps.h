#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <utility>

namespace altiscope::capture {

/// Steps [first, end) that a copied result of torch_npu has, by its table of steps (step_trace_time.csv), else by the
/// names of its steps ("ProfilerStep#7") in the first 32 MiB of each of its traces, databases and raw files. nullopt
/// where it names none.
/// @param folder  *_ascend_pt, on this machine.
/// @note  Blocking; follows no links.
std::optional<std::pair<std::int64_t, std::int64_t>> stepsOfResult(const std::filesystem::path& folder);

}  // namespace altiscope::capture
