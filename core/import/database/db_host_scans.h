#pragma once

#include "core/import/database/db_pass.h"

#include <vector>

namespace altiscope::reader {

/// Tables of the host: PYTORCH_API, CANN_API, MSTX_EVENTS, GC_RECORD, OSRT_API. `context` must outlive them.
/// Source: core/import/database/FORMAT.md section 3; names and categories as in the text export
/// (core/import/trace/FORMAT.md section 5).
std::vector<DbScan> hostScans(const DbContext& context);

/// Prefix of a type of ENUM_API_TYPE in the names of the text export: "AscendCL" for "acl".
std::string_view apiPrefix(std::string_view type);

}  // namespace altiscope::reader
