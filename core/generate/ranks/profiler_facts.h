#pragma once

#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"

#include <string>
#include <string_view>

namespace altiscope::generate {

/// Of a rank's capture: "rank0_ascend_pt", of MindSpore "rank0_ascend_ms".
std::string rankFolder(std::uint32_t rank, Framework framework);

/// profiler_info_{rank}.json: how the profiler was configured, its clocks, the rank.
/// @param exportTypes  "text", "db" or "text,db".
std::string profilerInfoJson(const Run& run, std::uint32_t rank, std::string_view exportTypes);

/// profiler_metadata.json: parallel layout, environment, communication groups of the rank.
std::string profilerMetadataJson(const Run& run, std::uint32_t rank);

}  // namespace altiscope::generate
