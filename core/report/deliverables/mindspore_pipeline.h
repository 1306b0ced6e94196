#pragma once

#include "core/report/deliverables/deliverable_input.h"

namespace altiscope {

// Files that MindSpore's analysis makes of what its data pipeline writes beside the events: pipeline_profiling,
// minddata_cpu_utilization, and device_queue_profiling or else dataset_iterator_profiling, all of FRAMEWORK. A file on
// which its program fails is not written here either. Source: core/report/deliverables/FORMAT.md section 11.

/// minddata_pipeline_raw_{rank}: a line per operator, breadth first from the root.
DeliverableResult writePipelineRaw(const DeliverableInput& input);
/// minddata_pipeline_summary_{rank}.json and .csv: means of queues, processors and batches, and what they suggest.
DeliverableResult writePipelineSummaryJson(const DeliverableInput& input);
DeliverableResult writePipelineSummaryCsv(const DeliverableInput& input);

/// The stems of their names, without the ending.
std::string pipelineRawStem(const DeliverableInput& input);
std::string pipelineSummaryStem(const DeliverableInput& input);

}  // namespace altiscope
