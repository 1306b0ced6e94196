#pragma once

#include "core/base/values/ids.h"
#include "core/query/tables/virtual_table.h"

#include <sqlite3.h>

#include <cstdint>
#include <string_view>

namespace altiscope {

/// Reads the arguments of a record from its source into a result. NULL if it has none, or if the source cannot be read
/// any more; then the error is counted in the context's diagnostics.
void resultArguments(sqlite3_context* result, const QueryContext& context, RankIndex rank, SourcePos pos);

/// The same of one argument that is a text, by its key.
void resultArgument(sqlite3_context* result, const QueryContext& context, RankIndex rank, SourcePos pos,
                    std::string_view key);

}  // namespace altiscope
