#pragma once

#include "core/generate/unit_record.h"

#include <string>

namespace altiscope::generate {

/// profiler_info_{rank}.json: how the profiler was configured, its clocks, the rank.
std::string profilerInfoJson(const Run& run, std::uint32_t rank);

/// profiler_metadata.json: parallel layout, environment, communication groups of the rank.
std::string profilerMetadataJson(const Run& run, std::uint32_t rank);

}  // namespace altiscope::generate
