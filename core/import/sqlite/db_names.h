#pragma once

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

}  // namespace altiscope::reader
