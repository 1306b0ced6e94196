#pragma once

#include "core/import/database/db_pass.h"

#include <vector>

namespace altiscope::reader {

/// Tables of sampled values. Names, series and units are those of the text export (resources/help/reference/sql.md):
/// MB/s = bytes/s / 2^20, hit rates 0..1, NPU MEM in KB. `context` must outlive them.
/// Source: core/import/database/FORMAT.md section 3, core/import/trace/FORMAT.md section 5.
std::vector<DbScan> counterScans(const DbContext& context);

}  // namespace altiscope::reader
