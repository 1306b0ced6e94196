#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// A number of minddata_pipeline_summary, which Python prints as it came: 5, or 5.0.
struct PipelineNumber {
    double value = 0;
    bool isWhole = false;
    std::string text() const;
};
/// A number that is not known.
inline constexpr PipelineNumber kNoPipelineNumber{-1, true};

/// Facts of the operators of a data pipeline, in the order of their numbers.
struct PipelineNumbers {
    std::vector<std::int64_t> ids, workers;
    std::vector<std::string> names, titles;
    std::vector<PipelineNumber> queueMeans, queueUse, queueEmpty;  ///< Elements, and percent.
    std::vector<PipelineNumber> workerUse;                         ///< Percent of a processor per worker.
    std::vector<std::vector<std::int64_t>> children;
};

/// The keys and texts that MindSpore adds to its summary where processors or queues look bad; empty where its program
/// gives up, since the numbers of operators are none of places. Its thresholds: workers use more than 75 % or less than
/// 20 % of a processor, queues are empty for 60 % of the samples, used to 50 % at most by a reader, or differ by 50 %.
/// Source: core/report/deliverables/FORMAT.md section 11.
std::vector<std::pair<const char*, std::vector<std::string>>> pipelineAdvice(const PipelineNumbers& numbers);

}  // namespace altiscope
