#include "core/import/db_schema.h"

#include <vector>

namespace altiscope::reader {

namespace {

std::string textAt(sqlite3_stmt* row, int column) {
    const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(row, column));
    return text == nullptr ? std::string() : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(row, column)));
}

/// First and last row id of a table. @return False if it has none.
bool readRange(sqlite3* connection, DbTable& table) {
    // Two questions: SQLite answers each from one end of the tree, but both together by walking all of it.
    for (const bool last : {false, true}) {
        const std::string sql = std::string("SELECT ") + (last ? "max" : "min") + "(_rowid_) FROM " + quotedName(table.name);
        const DatabaseQuery query = prepareQuery(connection, sql);
        if (!query) return false;
        // An unreadable end is met again, and told, when the rows are read: the range is then any.
        if (sqlite3_step(query.get()) != SQLITE_ROW || sqlite3_column_type(query.get(), 0) != SQLITE_INTEGER) continue;
        (last ? table.lastRow : table.firstRow) = sqlite3_column_int64(query.get(), 0);
    }
    return true;
}

}  // namespace

Result<DbSchema> DbSchema::read(sqlite3* connection, const std::string& name) {
    const auto failed = [&] { return databaseError(sqlite3_errcode(connection), sqlite3_errmsg(connection), name); };
    DbSchema schema;
    std::vector<std::string> names;
    const DatabaseQuery list =
        prepareQuery(connection, "SELECT name FROM sqlite_master WHERE type = 'table' AND rootpage > 0 ORDER BY name");
    if (!list) return failed();
    int code = SQLITE_OK;
    while ((code = sqlite3_step(list.get())) == SQLITE_ROW) names.push_back(textAt(list.get(), 0));
    if (code != SQLITE_DONE) return failed();
    const DatabaseQuery columns = prepareQuery(connection, "SELECT name FROM pragma_table_info(?1)");
    if (!columns) return failed();
    for (const std::string& tableName : names) {
        DbTable table;
        table.name = tableName;
        sqlite3_bind_text(columns.get(), 1, tableName.data(), static_cast<int>(tableName.size()), SQLITE_STATIC);
        while (sqlite3_step(columns.get()) == SQLITE_ROW) table.columns.insert(textAt(columns.get(), 0));
        sqlite3_reset(columns.get());
        if (readRange(connection, table)) schema.m_tables.emplace(tableName, std::move(table));
    }
    return schema;
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
    for (const char* name : {"TASK", "CANN_API", "PYTORCH_API", "COMMUNICATION_OP", "MSTX_EVENTS", "COMPUTE_TASK_INFO"}) {
        if (table(name) != nullptr) return true;
    }
    return false;
}

bool DbSchema::holdsCluster() const {
    for (const char* name : {"ClusterStepTraceTime", "ClusterTimeSummary", "ClusterCommunicationTime", "ClusterCommAnalyzerTime", "ClusterCommunicationMatrix",
                             "ClusterCommAnalyzerMatrix", "ClusterCommunicationBandwidth", "ClusterCommAnalyzerBandwidth"}) {
        if (table(name) != nullptr) return true;
    }
    return false;
}

}  // namespace altiscope::reader
