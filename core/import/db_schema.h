#pragma once

#include "core/base/result.h"
#include "core/import/db_connection.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// A table of a profiler database, as its schema tells it. Column order and columns differ between versions.
struct DbTable {
    std::string name;
    std::set<std::string, std::less<>> columns;
    std::int64_t firstRow = 0, lastRow = -1;  ///< Row ids; last < first: no row.

    bool has(std::string_view column) const { return columns.find(column) != columns.end(); }
    bool empty() const { return lastRow < firstRow; }
};

/// Tables that lie in a database. Views and tables of other modules are none.
class DbSchema {
public:
    /// Reads it once. Tables whose rows have no numbers (WITHOUT ROWID, no profiler writes such) are left out.
    /// @return Error as databaseError.
    static Result<DbSchema> read(sqlite3* connection, const std::string& name);

    /// Null if there is none. Names are compared as they are written.
    const DbTable* table(std::string_view name) const;
    /// Whether there is such a table and it has a row.
    bool filled(std::string_view name) const;
    std::size_t size() const { return m_tables.size(); }
    /// Whether any table is one that profilers fill with events.
    bool holdsTimeline() const;
    /// Whether any table is one that a cluster analysis fills with the numbers of all ranks.
    bool holdsCluster() const;

private:
    std::map<std::string, DbTable, std::less<>> m_tables;
};

}  // namespace altiscope::reader
