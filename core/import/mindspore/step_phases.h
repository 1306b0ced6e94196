#pragma once

#include "core/base/values/result.h"
#include "core/base/values/time.h"
#include "core/import/contracts/table_reader.h"
#include "core/import/csv/csv_records.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// TableFile::format of step_trace_raw_{rank}_detail_time.csv of MindSpore up to 2.3, which states the steps too.
inline constexpr std::string_view kStepTraceFormat = "step_trace_raw";
/// TableFile::format of ascend_cluster_analyse_{mode}_{stages}_{ranks}_{rank}.csv of the same.
inline constexpr std::string_view kClusterStepsFormat = "ascend_cluster_analyse";
/// TableFile::format of step_trace_{stamp}.csv of CANN.
inline constexpr std::string_view kIterationsFormat = "step_trace";

/// A step as step_trace_raw has it, in ns of the system's counter.
struct RecordedStep {
    struct Phase {
        std::string_view phase;    ///< As the SQL table step_phase calls it.
        std::size_t name = kNone;  ///< In PhaseSteps::names.
        TimeRange range;
    };
    static constexpr std::size_t kNone = ~std::size_t{0};
    TimeRange range;
    std::vector<Phase> phases;  ///< Those that lie in order within it, and its reduces.
};

struct PhaseSteps {
    std::map<std::int64_t, RecordedStep> steps;
    std::vector<std::string> names;  ///< Names of reduces: "stream_48_0_Receive-op663".
};

/// Reads step_trace_raw_{rank}_detail_time.csv. The record of means, "-" or "0", is no step; a file of one step has it
/// twice, since its writer overwrites the number: then the first is step 1.
/// @param problems   As for eachCsvRecord().
/// @param reportBad  Called with each record that is neither a step nor the means, or whose number came before.
/// @return Error of eachCsvRecord(), or "csv.no_column".
/// Source: core/import/mindspore/FORMAT.md section 3.
Result<PhaseSteps> recordedSteps(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress,
                                 const CancelToken& cancel, const std::function<void(const CsvRecord&)>& reportBad);

// Readers of the rows of `step_phase`. All report "table.broken" (lost) with records that are none.
// @return Error of eachCsvRecord(), or "csv.no_column".

Result<Done> readStepTrace(const SourceFile& file, TableContext& context);
/// Durations of steps from 1 on; the last of several records is the means.
Result<Done> readClusterSteps(const SourceFile& file, TableContext& context);
/// Iterations of models: times as in the other summaries of the same export.
Result<Done> readIterations(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
