#include "core/import/sqlite/db_schema.h"

#include "core/base/text/ascii.h"
#include "core/import/sqlite/db_names.h"

#include <algorithm>
#include <vector>

namespace altiscope::reader {

namespace {

/// First and last row id of a table.
void readRange(sqlite3* connection, DbTable& table) {
    const std::string numbers = quotedName(table.name);
    const DatabaseQuery rowIds = prepareQuery(connection, "SELECT _rowid_ FROM " + numbers);
    if (!rowIds && mayPass(sqlite3_errcode(connection))) table.unreadable = sqlite3_errmsg(connection);
    else if (!rowIds) {
        table.hasRowIds = false;
        table.firstRow = 1;
    }
    // Two queries: SQLite runs each from one end of the tree, but both together by walking all of it.
    for (const bool last : {false, true}) {
        const std::string what = !table.hasRowIds ? "count(*)" : last ? "max(_rowid_)" : "min(_rowid_)";
        const DatabaseQuery query = prepareQuery(connection, "SELECT " + what + " FROM " + numbers);
        const bool hasRow = query && sqlite3_step(query.get()) == SQLITE_ROW;
        if (!hasRow) table.unreadable = sqlite3_errmsg(connection);
        else if (sqlite3_column_type(query.get(), 0) == SQLITE_INTEGER && (last || table.hasRowIds))
            (last ? table.lastRow : table.firstRow) = sqlite3_column_int64(query.get(), 0);
    }
}

}  // namespace

std::vector<DbRowRange> DbTable::ranges() const {
    std::vector<DbRowRange> found;
    std::int64_t from = firstRow;
    for (const DbRowRange& part : damaged) {
        if (from < part.first && from <= lastRow) found.push_back({from, std::min(part.first - 1, lastRow)});
        found.push_back(part);
        if (part.last == INT64_MAX) return found;
        from = std::max(from, part.last + 1);
    }
    if (from <= lastRow) found.push_back({from, lastRow});
    return found;
}

bool DbTable::isKeyedBy(std::string_view column) const {
    const auto isKey = [](const DbColumn& one) { return one.isKey; };
    const auto key = std::find_if(declared.begin(), declared.end(), isKey);
    return key != declared.end() && key->name == column && std::none_of(key + 1, declared.end(), isKey);
}

std::string DbTable::source() const {
    if (hasRowIds) return quotedName(name);
    return "(SELECT row_number() OVER () AS _rowid_, * FROM " + quotedName(name) + ")";
}

Result<DbSchema> DbSchema::read(sqlite3* connection, const std::string& name) {
    const auto failed = [&] { return databaseError(sqlite3_errcode(connection), sqlite3_errmsg(connection), name); };
    DbSchema schema;
    std::vector<std::string> names;
    const DatabaseQuery list = prepareQuery(connection, "SELECT type, name, rootpage FROM sqlite_master ORDER BY name");
    if (!list) return failed();
    int code = SQLITE_OK;
    while ((code = sqlite3_step(list.get())) == SQLITE_ROW) {
        const std::string type = columnText(list.get(), 0).value_or(""),
                          entry = spelledAsKnown(columnText(list.get(), 1).value_or(""));
        const std::int64_t root = sqlite3_column_int64(list.get(), 2);
        if (root > 0 && root <= UINT32_MAX)
            schema.m_roots.push_back({entry, static_cast<std::uint32_t>(root), type == "table", type == "index"});
        if (type == "table" && root > 0) names.push_back(entry);
        else if (type == "table") schema.m_others.emplace(entry, "virtual table");
        else if (type == "view") schema.m_others.emplace(entry, "view");
        else if (type != "index" && type != "trigger") schema.m_odd.push_back(entry);
    }
    if (code != SQLITE_DONE) return failed();
    const DatabaseQuery columns = prepareQuery(connection, "SELECT name, pk FROM pragma_table_info(?1)");
    if (!columns) return failed();
    for (const std::string& tableName : names) {
        DbTable table;
        table.name = tableName;
        sqlite3_bind_text(columns.get(), 1, tableName.data(), static_cast<int>(tableName.size()), SQLITE_STATIC);
        while ((code = sqlite3_step(columns.get())) == SQLITE_ROW) {
            table.declared.push_back({spelledAsKnown(tableName, columnText(columns.get(), 0).value_or("")),
                                      sqlite3_column_int(columns.get(), 1) > 0});
            table.columns.insert(table.declared.back().name);
        }
        if (code != SQLITE_DONE) return failed();
        sqlite3_reset(columns.get());
        if (table.columns.empty()) schema.m_odd.push_back(tableName);
        readRange(connection, table);
        if (!table.hasRowIds) {
            for (DbRoot& root : schema.m_roots) {
                if (root.hasRows && root.name == tableName) root.isIndex = true;
            }
        }
        schema.m_tables.emplace(tableName, std::move(table));
    }
    return schema;
}

void DbSchema::apply(const DbPages& pages) {
    for (const DbDamage& damage : pages.damages) {
        const auto found = m_tables.find(damage.table);
        if (found == m_tables.end() || !damage.hasRows || !found->second.hasRowIds ||
            damage.rows.last < damage.rows.first)
            continue;
        auto& damaged = found->second.damaged;
        if (!damaged.empty() && damage.rows.first <= damaged.back().last)
            damaged.back().last = std::max(damaged.back().last, damage.rows.last);
        else damaged.push_back(damage.rows);
    }
    for (auto& [name, table] : m_tables) {
        if (table.damaged.empty() && table.unreadable.empty()) continue;
        // The ends that SQLite finds may lie on damaged pages.
        const auto extent = pages.extents.find(name);
        if (!table.hasRowIds) continue;
        table.firstRow = extent == pages.extents.end() ? 0 : extent->second.first;
        table.lastRow = extent == pages.extents.end() ? -1 : extent->second.last;
    }
}

std::string_view DbSchema::insteadOf(std::string_view name) const {
    const auto found = m_others.find(name);
    return found == m_others.end() ? std::string_view() : found->second;
}

const DbTable* DbSchema::table(std::string_view name) const {
    const auto found = m_tables.find(name);
    return found == m_tables.end() ? nullptr : &found->second;
}

bool DbSchema::filled(std::string_view name) const {
    const DbTable* found = table(name);
    return found != nullptr && !found->empty();
}

bool DbSchema::holdsTimeline() const {
    for (const char* name :
         {"TASK", "CANN_API", "PYTORCH_API", "COMMUNICATION_OP", "MSTX_EVENTS", "COMPUTE_TASK_INFO"}) {
        if (table(name) != nullptr) return true;
    }
    return false;
}

bool DbSchema::holdsCluster() const {
    for (const char* name : {"ClusterStepTraceTime", "ClusterTimeSummary", "ClusterCommunicationTime",
                             "ClusterCommAnalyzerTime", "ClusterCommunicationMatrix", "ClusterCommAnalyzerMatrix",
                             "ClusterCommunicationBandwidth", "ClusterCommAnalyzerBandwidth"}) {
        if (table(name) != nullptr) return true;
    }
    return false;
}

}  // namespace altiscope::reader
