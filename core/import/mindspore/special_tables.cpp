#include "core/import/mindspore/special_tables.h"

#include "core/import/mindspore/legacy_events.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

constexpr SpecialFormat kSpecialFormats[] = {
    {"hccl_raw", "hccl_raw_", ".csv", RowKind::Collective, true, InputSample::Real, readHcclRaw},
    {"minddata_pipeline_summary", "minddata_pipeline_summary_", ".json", RowKind::PipelineQueue, true,
     InputSample::None, readPipelineSummary},
    {"minddata_pipeline_summary", "minddata_pipeline_summary_", ".csv", RowKind::PipelineQueue, true, InputSample::None,
     readPipelineSummary},
    {"pipeline_profiling", "pipeline_profiling_", ".json", RowKind::PipelineQueue, true, InputSample::None,
     readPipelineProfiling},
    {"dataset_iterator_profiling", "dataset_iterator_profiling_", ".txt", RowKind::DatasetOp, false, InputSample::None,
     readIteratorTimes},
    {"device_queue_profiling", "device_queue_profiling_", ".txt", RowKind::DatasetOp, false, InputSample::None,
     readIteratorTimes},
    {"minddata_aicpu", "minddata_aicpu_", ".txt", RowKind::DatasetOp, false, InputSample::Real, readDataWaits},
    {"dynamic_shape_info", "dynamic_shape_info_", ".json", RowKind::Operator, false, InputSample::None,
     readDynamicShapes},
    {"host_info", "host_info_", ".csv", RowKind::DatasetOp, true, InputSample::None, readHostInfoTables},
    {kLegacyAiCpuFormat, "aicpu_intermediate_", ".csv", RowKind::Kernel, false, InputSample::Real, readLegacyAiCpu},
    {kLegacyAiCpuFormat, "output_data_preprocess_aicpu_", ".txt", RowKind::Kernel, false, InputSample::Real,
     readLegacyAiCpu},
    {"host_memory", "host_memory_", ".csv", RowKind::MemorySample, false, InputSample::None, readHostMemory},
};

}  // namespace

std::span<const SpecialFormat> specialFormats() { return kSpecialFormats; }

bool isNamedAs(std::string_view file, const SpecialFormat& format) {
    const std::string_view bare = format.begin.substr(0, format.begin.size() - 1);
    if (file.size() == bare.size() + format.end.size() && file.starts_with(bare) && file.ends_with(format.end))
        return true;
    if (file.size() <= format.begin.size() + format.end.size() || !file.starts_with(format.begin) ||
        !file.ends_with(format.end))
        return false;
    const std::string_view number =
        file.substr(format.begin.size(), file.size() - format.begin.size() - format.end.size());
    return number.find_first_not_of("0123456789") == std::string_view::npos;
}

}  // namespace altiscope::reader
