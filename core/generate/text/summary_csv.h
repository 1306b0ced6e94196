#pragma once

#include "core/base/text/text_buffer.h"
#include "core/generate/records/allocator_states.h"
#include "core/generate/records/unit_record.h"
#include "core/generate/support/capture_tally.h"

#include <map>
#include <string>
#include <string_view>
#include <utility>

namespace altiscope::generate {

/// Rows of kernel_details.csv, operator_details.csv and, summed up, of op_statistic.csv and api_statistic.csv.
/// Source of the formats: torch_npu's text export at level 1 with PMU metric PipeUtilization; lines end as in the real
/// files. All but those of the framework name the NPU, as those of newer versions do. Of MindSpore: its source.

/// Key: operator type and core type, or level and API name.
using StatisticKey = std::pair<std::string, std::string>;
using Statistics = std::map<StatisticKey, DurationSum>;

/// torch_npu writes "Step Id" and, in newer versions, "Device_id"; MindSpore "Step ID" and no device. Source:
/// core/import/csv/FORMAT.md section 1.
std::string kernelDetailsHeader(Framework framework);
/// One row per kernel and per collective, by start.
void addKernelDetails(const Run& run, std::uint32_t rank, const UnitRecord& record, Framework framework,
                      TextBuffer& out);
/// Kernels by type and core; collectives are not in it.
void sumKernels(const Run& run, const UnitRecord& record, Statistics& sums);

std::string_view operatorDetailsHeader(Framework framework);
/// One row per framework operator but ProfilerStep, by start: its own and its children's time on host and device. Of
/// MindSpore its name and shapes alone.
void addOperatorDetails(const Run& run, const UnitRecord& record, Framework framework, TextBuffer& out);

/// Whole files, LF lines.
std::string opStatisticCsv(std::uint32_t device, const Statistics& kernels);
std::string apiStatisticCsv(const Statistics& apis);
/// Runtime calls by level and name.
void sumApis(const Run& run, const UnitRecord& record, Statistics& sums);

}  // namespace altiscope::generate
