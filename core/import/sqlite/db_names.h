#pragma once

#include "core/import/sqlite/db_schema.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A table of profilers or of cluster analyses, and the columns that any version writes.
struct DbKnownTable {
    std::string_view name;
    std::vector<std::string_view> columns;
};

/// All of them, by name. Sources: core/import/database/FORMAT.md sections 3 and 4, core/import/cluster/FORMAT.md
/// section 2.
std::span<const DbKnownTable> knownTables();

/// A name of a table, or of a column of a table, as profilers spell it where it is the same to SQLite, which does not
/// distinguish A-Z and a-z; else as it is given.
std::string spelledAsKnown(std::string_view table);
std::string spelledAsKnown(std::string_view table, std::string_view column);

/// A name of the schema that is damaged, so that what stands under it is not found.
struct DbDamagedName {
    std::string table;   ///< As it should be called, else as it is.
    std::string column;  ///< As it should be called, else as it is; empty: the table itself.
    std::string found;   ///< What stands there; empty: nothing does.
};

/// Names that are none that is known, but were one before bytes of them were changed: one that differs from a missing
/// known one in one place, one that holds what is in no name, a table that SQLite knows by another name than its list,
/// and a column that a damaged declaration swallowed. Tables and columns that are new are none of these.
/// @note  Linear in the schema; at most kMaxDamagedNames.
std::vector<DbDamagedName> damagedNames(const DbSchema& schema);
inline constexpr std::size_t kMaxDamagedNames = 100;

}  // namespace altiscope::reader
