#pragma once

#include "core/generate/records/unit_record.h"

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::generate {

/// Files of MindSpore's data pipeline of one rank, by name: dataset.csv, minddata_pipeline_raw_{R}.csv and
/// minddata_pipeline_summary_{R}.csv and .json. A reader, a shuffle and a batch feed the training; their queues are
/// sampled at most kPipelineSamples times, at longer intervals in longer runs.
/// Source of the formats: real raw files, and for the others the documentation of MindSpore.
std::vector<std::pair<std::string, std::string>> dataPipelineFiles(const Run& run, std::uint32_t rank);

inline constexpr std::int64_t kPipelineSamples = 512;

}  // namespace altiscope::generate
