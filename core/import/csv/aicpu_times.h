#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"
#include "core/store/rows/row_table.h"

#include <string_view>

namespace altiscope::reader {

/// TableFile::format of data_preprocess.csv of the frameworks, which CANN calls aicpu: the times of each operator of
/// the AI CPU.
inline constexpr std::string_view kAicpuFormat = "data_preprocess";

/// The tables with further metrics of those kernels in ns: Compute_time, Memcpy_time, Task_time, Dispatch_time and
/// Total_time. A record belongs to the kernel of its name and stream in which its stamp lies, or that begins up to a
/// microsecond after it; each kernel takes one. "table.no_kernel" (info) counts records without any, "table.broken"
/// (lost) those that are none. O(records * log kernels). Source: core/import/csv/FORMAT.md section 12.
RowTables withAicpuTimes(const RowTables& tables, const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
