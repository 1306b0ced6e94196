#include "core/import/database_lookup/db_lookup.h"

#include <utility>

namespace altiscope::reader {

const IdGroups<DbRowIndexes::Rows>* DbRowIndexes::of(sqlite3* connection, const DbSchema& schema, const char* table,
                                                     const char* column) {
    const std::lock_guard lock(m_mutex);
    auto& index = m_indexes[std::string(table) + '.' + column];
    if (index) return index.get();
    std::vector<IdGroups<Rows>::Row> rows;
    const DbTable* known = schema.table(table);
    const bool isThere = known != nullptr && known->has(column);
    const DatabaseQuery query = isThere ? prepareQuery(connection, "SELECT _rowid_, " + quotedName(column) + " FROM " +
                                                                       known->source() + " ORDER BY _rowid_")
                                        : nullptr;
    int code = query || !isThere ? SQLITE_OK : sqlite3_errcode(connection);
    while (query && (code = sqlite3_step(query.get())) == SQLITE_ROW) {
        if (sqlite3_column_type(query.get(), 1) != SQLITE_INTEGER) continue;
        const std::int64_t number = sqlite3_column_int64(query.get(), 0), id = sqlite3_column_int64(query.get(), 1);
        if (!rows.empty() && rows.back().id == id && rows.back().value.last == number - 1)
            rows.back().value.last = number;
        else rows.push_back({id, {number, number}});
    }
    // Damage of the file itself was reported when it was imported.
    if (mayPass(code)) return nullptr;
    index = std::make_unique<const IdGroups<Rows>>(std::move(rows));
    return index.get();
}

DatabaseQuery DbLookup::prepared(const std::string& sql) {
    DatabaseQuery query = prepareQuery(m_connection.get(), sql);
    if (!query && mayPass(sqlite3_errcode(m_connection.get()))) m_failed = true;
    return query;
}

void DbLookup::reset(sqlite3_stmt* query) {
    // A value for which there was no memory looks like NULL until then.
    if (mayPass(sqlite3_reset(query))) m_failed = true;
}

bool DbLookup::hasRow(sqlite3_stmt* query) {
    const int code = sqlite3_step(query);
    if (code != SQLITE_ROW && code != SQLITE_DONE) m_failed = true;
    return code == SQLITE_ROW;
}

std::optional<DbLookup::Values> DbLookup::row(const char* table, const std::vector<const char*>& columns,
                                              std::int64_t number) {
    const DbTable* known = m_schema.table(table);
    if (known == nullptr) return std::nullopt;
    std::string sql = "SELECT 1";
    for (const char* column : columns) sql += known->has(column) ? ", " + quotedName(column) : ", NULL";
    sql += " FROM " + known->source() + " WHERE _rowid_ = ?1";
    auto& query = m_queries[sql];
    if (!query) query = prepared(sql);
    if (!query) return std::nullopt;
    sqlite3_bind_int64(query.get(), 1, number);
    std::optional<Values> values;
    if (hasRow(query.get())) {
        values.emplace();
        for (std::size_t i = 0; i < columns.size(); ++i)
            values->push_back(columnText(query.get(), static_cast<int>(i) + 1));
    }
    reset(query.get());
    return values;
}

std::span<const DbRowIndexes::Rows> DbLookup::rangesOf(const char* table, const char* column, std::int64_t id) {
    const auto* index = m_indexes.of(m_connection.get(), m_schema, table, column);
    if (index == nullptr) {
        m_failed = true;
        return {};
    }
    return index->of(id);
}

std::string DbLookup::text(std::int64_t id) {
    static constexpr const char* kTable = "STRING_IDS";
    // Where the table has no key, SQLite would walk over all texts for each.
    if (const DbTable* known = m_schema.table(kTable); known != nullptr && !known->isKeyedBy("id")) {
        const auto* index = m_indexes.of(m_connection.get(), m_schema, kTable, "id");
        if (index == nullptr) m_failed = true;
        const DbRowIndexes::Rows* const first = index == nullptr ? nullptr : index->first(id);
        const auto values = first == nullptr ? std::nullopt : row(kTable, {"value"}, first->first);
        return values ? values->front().value_or("N/A") : "N/A";
    }
    static constexpr const char* kSql = "SELECT value FROM STRING_IDS WHERE id = ?1";
    auto& query = m_queries[kSql];
    if (!query) query = prepared(kSql);
    if (!query) return "N/A";
    sqlite3_bind_int64(query.get(), 1, id);
    std::string value = "N/A";
    if (hasRow(query.get())) value = columnText(query.get(), 0).value_or("N/A");
    reset(query.get());
    return value;
}

std::string DbLookup::enumName(const char* table, std::int64_t id) {
    const auto [known, isNew] = m_enumNames.try_emplace({table, id}, std::to_string(id));
    if (!isNew) return known->second;
    const DatabaseQuery query = prepared("SELECT name FROM " + quotedName(table) + " WHERE id = ?1");
    if (!query) {
        std::string number = known->second;
        if (m_failed) m_enumNames.erase(known);
        return number;
    }
    sqlite3_bind_int64(query.get(), 1, id);
    if (hasRow(query.get())) known->second = columnText(query.get(), 0).value_or("");
    reset(query.get());
    std::string name = known->second;
    // To be looked up again where it could not be read this time.
    if (m_failed) m_enumNames.erase(known);
    return name;
}

}  // namespace altiscope::reader
