#pragma once

#include "core/base/values/result.h"
#include "core/import/sqlite/db_connection.h"
#include "core/import/sqlite/db_pages.h"

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A column as the statement that made the table declares it.
struct DbColumn {
    std::string name;
    bool isKey = false;  ///< Part of the primary key.
};

/// A table of a profiler database, as its schema states it. Column order and columns differ between versions.
struct DbTable {
    std::string name;
    std::set<std::string, std::less<>> columns;  ///< None: SQLite knows no table of the name that its list says.
    std::vector<DbColumn> declared;              ///< The same, in their order.
    std::int64_t firstRow = 0, lastRow = -1;     ///< Row ids; last < first: no row.
    /// Else (WITHOUT ROWID) rows are numbered as they lie, from 1; each look at one walks over all before.
    bool hasRowIds = true;
    std::string unreadable{};           ///< SQLite's message where it finds the table's ends no more.
    std::vector<DbRowRange> damaged{};  ///< Row ids on damaged pages; ascending, apart from each other.

    bool has(std::string_view column) const { return columns.find(column) != columns.end(); }
    /// Whether a column alone is the primary key, so that a row is found by it without a walk.
    bool isKeyedBy(std::string_view column) const;
    bool empty() const { return lastRow < firstRow && unreadable.empty() && damaged.empty(); }
    /// Ranges of row ids in which the table is to be read, each with a statement of its own: what SQLite cannot read of
    /// one does not hide the others.
    std::vector<DbRowRange> ranges() const;
    /// The table in SQL, with a column _rowid_.
    std::string source() const;
};

/// Tables that lie in a database. Views and tables of other modules are none.
class DbSchema {
public:
    /// Reads it once. @return Error as databaseError.
    static Result<DbSchema> read(sqlite3* connection, const std::string& name);

    /// Where tables and indexes begin.
    const std::vector<DbRoot>& roots() const { return m_roots; }
    /// Takes over which rows of which tables lie on damaged pages.
    void apply(const DbPages& pages);
    /// Kind of an entry that has the name of a table and cannot be read: "view", "virtual table"; empty: none.
    std::string_view insteadOf(std::string_view name) const;

    /// Names of entries that are neither a table nor an index, a view or a trigger, and of tables that SQLite does not
    /// know by the name that its list says.
    const std::vector<std::string>& odd() const { return m_odd; }

    const std::map<std::string, DbTable, std::less<>>& tables() const { return m_tables; }
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
    std::map<std::string, std::string, std::less<>> m_others;  // views and the like: what they are
    std::vector<DbRoot> m_roots;
    std::vector<std::string> m_odd;
};

}  // namespace altiscope::reader
