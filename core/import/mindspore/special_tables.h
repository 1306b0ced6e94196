#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/contracts/table_reader.h"
#include "core/store/rows/row_kinds.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace altiscope::reader {

/// A file that fills tables and is no CSV file with a row per record.
struct SpecialFormat {
    std::string_view name;        ///< TableFile::format.
    std::string_view begin, end;  ///< Files are called BEGIN{number}END, and BEGIN without its last '_' and END.
    RowKind kind = RowKind::Operator;
    /// Where another file has filled the table already, this one says the same once more and is not read.
    bool isTwin = true;
    InputSample sample = InputSample::Unstated;
    Result<Done> (*read)(const SourceFile& file, TableContext& context) = nullptr;
};

/// All of them, in order of preference. Source: core/import/mindspore/FORMAT.md.
std::span<const SpecialFormat> specialFormats();

/// Whether a file is called as a format says.
bool isNamedAs(std::string_view file, const SpecialFormat& format);

// The readers. All report "table.broken" (lost) where a file, or a cell with JSON text, is not what it should be.
// @return Error of ReadOnlyFile or eachCsvRecord(), or "csv.no_column".

/// hccl_raw_{rank}.csv: a row of `collective` per step and operator (transit as the file's cost, elapsed = cost +
/// wait), its links (`single`), and those of the whole step (`total`), whose bandwidth is size / time: the file's own
/// is a sum over operators. Ranks of links are those of the job. The record of means, "-", is left out.
Result<Done> readHcclRaw(const SourceFile& file, TableContext& context);
/// minddata_pipeline_summary_{rank}.json or .csv: a row of `pipeline_queue` per operator.
Result<Done> readPipelineSummary(const SourceFile& file, TableContext& context);
/// pipeline_profiling_{rank}.json: the same from the samples; children are the nearest ones that have a queue.
Result<Done> readPipelineProfiling(const SourceFile& file, TableContext& context);
/// dataset_iterator_profiling_{rank}.txt, device_queue_profiling_{rank}.txt: a row of `dataset_op` per kind of time,
/// "pipeline", "push" and "batch", with the mean; the first batch warms up and is left out.
Result<Done> readIteratorTimes(const SourceFile& file, TableContext& context);
/// minddata_aicpu_{rank}.txt: a row of `dataset_op` per node of the AI CPU that waits for data, stage "AI_CPU", with
/// the mean time.
Result<Done> readDataWaits(const SourceFile& file, TableContext& context);
/// dynamic_shape_info_{rank}.json: a row of `operator` per run with its shapes, and of the GPU one of `kernel` per run.
Result<Done> readDynamicShapes(const SourceFile& file, TableContext& context);
/// host_info_{rank}.csv: memory_sample rows of the component "host", and `dataset_op` (core/import/mindspore/FORMAT.md
/// rule B).
Result<Done> readHostInfoTables(const SourceFile& file, TableContext& context);
/// The memory alone.
Result<Done> readHostMemory(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
