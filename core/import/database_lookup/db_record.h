#pragma once

#include "core/import/database_lookup/db_lookup.h"
#include "core/import/database_lookup/db_position.h"

#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// The arguments of one record as JSON text; empty if its table gives none, nullopt if there is no such row.
std::optional<std::string> recordArguments(DbLookup& lookup, DbTableCode table, std::int64_t row);

/// The table that holds a record of events; empty for counters and what is computed.
std::string_view tableOfRecord(DbTableCode table);

}  // namespace altiscope::reader
