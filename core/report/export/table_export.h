#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/report/export/result_writer.h"

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string_view>

namespace altiscope {

struct CaptureStore;

/// Counts of an exported table.
struct TableExportSummary {
    std::uint64_t rows = 0;
    std::uint64_t bytes = 0;
    Diagnostics diagnostics;  ///< Values that could not be read any more and are NULL.
};

/// Writes all rows and columns of a table, in the order of the table. An existing file is replaced once the new
/// one is complete.
/// @param table  One of tableSchema().
/// @return Error "export.no_table" {table}, "export.not_written" {reason}, or as QueryDatabase::run.
/// @note   One row in memory at a time, of Arrow one batch. Run it inside a WorkerArena.
Result<TableExportSummary> exportTable(std::shared_ptr<const CaptureStore> capture, std::string_view table,
                                       ResultFormat format, const std::filesystem::path& file,
                                       const CancelToken& cancel);

}  // namespace altiscope
