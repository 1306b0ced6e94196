#pragma once

#include "core/import/contracts/table_reader.h"
#include "core/store/rows/row_table.h"

#include <string_view>

namespace altiscope::reader {

/// TableFile::format of flops_{rank}.txt of MindSpore up to 2.3.
inline constexpr std::string_view kFlopsFormat = "flops";

/// The tables with what flops_{rank}.txt says of each kernel by its name, as further real columns of `kernel`, called
/// as in the file's header. "table.broken" (lost) names records that cannot be read, "csv.no_column" (lost) a header
/// without names of kernels. Source: core/import/mindspore/FORMAT.md section 3. O(kernels + records).
RowTables withLegacyFlops(const RowTables& tables, const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
