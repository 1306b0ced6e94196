#pragma once

#include "core/import/database_lookup/db_id_index.h"
#include "core/import/sqlite/db_schema.h"

#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Which rows of tables have an id, for columns that the database has no index for. Built once, shared by all
/// connections.
class DbRowIndexes {
public:
    /// Row numbers [first, last] that follow each other and have the same id.
    struct Rows {
        std::int64_t first, last;
    };
    /// Reads one column of a whole table the first time. Thread-safe; the result stays as long as the object. Null if
    /// the system refused to read it this time.
    const IdGroups<Rows>* of(sqlite3* connection, const DbSchema& schema, const char* table, const char* column);

private:
    std::mutex m_mutex;
    std::map<std::string, std::unique_ptr<const IdGroups<Rows>>, std::less<>> m_indexes;
};

/// One connection that fetches single rows. One thread at a time.
class DbLookup {
public:
    using Values = std::vector<std::optional<std::string>>;

    DbLookup(DatabaseHandle connection, DbSchema schema, DbRowIndexes& indexes)
        : m_connection(std::move(connection)), m_schema(std::move(schema)), m_indexes(indexes) {}

    const DbSchema& schema() const { return m_schema; }
    /// Columns of one row as texts; those that are NULL or missing in this version are nullopt. nullopt: no such row.
    std::optional<Values> row(const char* table, const std::vector<const char*>& columns, std::int64_t number);
    /// Calls `take` with the numbers of rows of a table whose `column` is `id`, until it returns false.
    template <class Take>
    void eachRowOf(const char* table, const char* column, std::int64_t id, const Take& take) {
        for (const DbRowIndexes::Rows& rows : rangesOf(table, column, id)) {
            for (std::int64_t number = rows.first;; ++number) {
                if (!take(number)) return;
                if (number == rows.last) break;  // which may be the largest number there is
            }
        }
    }
    /// The text of STRING_IDS; "N/A" if there is none.
    std::string text(std::int64_t id);
    /// The name of an ENUM_ table; the number itself if it is not in it.
    std::string enumName(const char* table, std::int64_t id);
    /// The arguments of a task that several runs of a graph have, kept by its row: `make` compares all of them.
    template <class Make>
    std::string ofAllRuns(std::int64_t number, const Make& make) {
        static constexpr std::size_t kMaxKept = 100'000;
        if (const auto known = m_ofAllRuns.find(number); known != m_ofAllRuns.end()) return known->second;
        std::string made = make();
        if (m_ofAllRuns.size() >= kMaxKept) m_ofAllRuns.clear();
        if (!m_failed) m_ofAllRuns.emplace(number, made);
        return made;
    }
    /// Whether something could not be read since the last call of this; what was fetched then lacks it.
    bool takeFailure() { return std::exchange(m_failed, false); }

private:
    std::span<const DbRowIndexes::Rows> rangesOf(const char* table, const char* column, std::int64_t id);
    bool hasRow(sqlite3_stmt* query);
    DatabaseQuery prepared(const std::string& sql);
    void reset(sqlite3_stmt* query);

    DatabaseHandle m_connection;
    DbSchema m_schema;
    DbRowIndexes& m_indexes;
    bool m_failed = false;
    std::map<std::string, DatabaseQuery> m_queries;
    std::map<std::pair<std::string, std::int64_t>, std::string> m_enumNames;
    std::unordered_map<std::int64_t, std::string> m_ofAllRuns;
};

}  // namespace altiscope::reader
