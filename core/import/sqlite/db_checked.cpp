#include "core/import/sqlite/db_checked.h"

#include "core/base/text/printable_text.h"

#include <algorithm>

namespace altiscope::reader {

namespace {

std::string rangeText(DbRowRange rows) {
    const std::string first = rows.first == INT64_MIN ? std::string() : std::to_string(rows.first);
    const std::string last = rows.last == INT64_MAX ? std::string() : std::to_string(rows.last);
    return first + ".." + last;
}

/// "TASK 17..40, STRING_IDS 1..9, ...": some of the places, for a sentence.
class DamageText {
public:
    void add(const DbDamage& damage) {
        static constexpr int kPlaces = 6;
        if (++m_places > kPlaces + 1) return;
        if (!m_text.empty()) m_text += ", ";
        m_text += m_places > kPlaces ? "..."
                                     : damage.table + (damage.hasRows && !damage.isIndex ? ' ' + rangeText(damage.rows)
                                                                                         : std::string());
    }
    const std::string& text() const { return m_text; }

private:
    int m_places = 0;
    std::string m_text;
};

}  // namespace

Result<CheckedDatabase> CheckedDatabase::open(const SourceFile& file, const CancelToken& cancel) {
    auto opened = openDatabase(file.path, file.name, &cancel);
    if (!opened.ok()) return opened.as<CheckedDatabase>();
    auto schema = DbSchema::read(opened.value().get(), file.name);
    if (cancel.cancelled()) return Cancelled{};
    if (!schema.ok()) return schema.as<CheckedDatabase>();
    auto pages = walkPages(file.path, schema.value().roots(), cancel);
    if (!pages.ok()) return pages.as<CheckedDatabase>();
    schema.value().apply(pages.value());
    forgetPages(opened.value().get());
    return CheckedDatabase{std::move(opened).value(), std::move(schema).value(), std::move(pages).value()};
}

void CheckedDatabase::reportDamage(const std::string& file, Diagnostics& diagnostics) const {
    if (!pages.isSizeRight()) {
        diagnostics.add("db.wrong_size", Severity::Lost, file, {},
                        {{"bytes", std::to_string(pages.fileBytes)},
                         {"expected", std::to_string(pages.headerPages == 0
                                                         ? pages.fileBytes / pages.pageBytes * pages.pageBytes
                                                         : std::uint64_t{pages.headerPages} * pages.pageBytes)}});
    }
    const auto placeOf = [this](std::uint32_t page) {
        return page == 0 ? Place{} : Place{PlaceUnit::Byte, (page - 1) * std::uint64_t{pages.pageBytes}};
    };
    if (pages.strayPages > 0)
        diagnostics.add("db.stray_pages", Severity::Lost, file, placeOf(pages.firstStray),
                        {{"count", std::to_string(pages.strayPages)}});
    // Rows do not need an index; a page that lies there may be missing elsewhere, which is reported there.
    for (const bool hasRows : {true, false}) {
        DamageText places;
        for (const DbDamage& damage : pages.damages) {
            if (damage.hasRows == hasRows) places.add(damage);
        }
        for (const DbDamage& damage : pages.damages) {
            if (damage.hasRows == hasRows)
                diagnostics.add(hasRows ? "db.damaged_pages" : "db.damaged_index",
                                hasRows ? Severity::Lost : Severity::Info, file, placeOf(damage.page),
                                {{"table", places.text()}}, damage.pages);
        }
    }
    for (const std::string& entry : schema.odd())
        diagnostics.add("db.unknown_entry", Severity::Lost, file, {}, {{"table", printableText(entry)}});
    DbProblemLog problems;
    for (const auto& [name, table] : schema.tables()) {
        if (table.columns.empty()) continue;  // one of odd()
        if (!table.unreadable.empty()) problems.add(DbProblem::TableCut, name, -1, table.unreadable);
        else if (table.empty()) reportMissingRows(pages, table, 0, problems);
    }
    problems.addTo(diagnostics, file);
}

void CheckedDatabase::reportOthers(std::initializer_list<std::string_view> tables, DbProblemLog& problems) const {
    for (const std::string_view table : tables) {
        if (const std::string_view what = schema.insteadOf(table); !what.empty())
            problems.add(DbProblem::NotATable, table, -1, what);
    }
}

std::optional<Error> damageInSchema(const std::filesystem::path& path, const std::string& name,
                                    const DbSchema& schema) {
    if (!schema.odd().empty())
        return Error{"db.corrupt",
                     name,
                     {},
                     {{"reason", "an entry of its list of tables is none: " + printableText(schema.odd().front())}}};
    const auto pages = walkPages(path, schema.roots(), {});
    if (!pages.ok() || pages.value().isWhole()) return std::nullopt;
    return Error{"db.corrupt", name, {}, {{"reason", "the list of tables does not lead to all pages"}}};
}

void reportMissingRows(const DbPages& pages, const DbTable& table, std::uint64_t rows, DbProblemLog& problems) {
    const auto expected = pages.rows.find(table.name);
    if (expected == pages.rows.end() || !table.damaged.empty() || !table.unreadable.empty() || rows >= expected->second)
        return;
    if (!problems.holds(DbProblem::TableCut, table.name))
        problems.addCount(DbProblem::MissingRows, table.name, expected->second - rows);
}

void forgetPages(sqlite3* connection) { sqlite3_db_release_memory(connection); }

std::optional<std::int64_t> afterUnreadableRow(sqlite3* connection, const DbTable& table, DbRowRange rows, int code) {
    // A text beyond all limits, or one whose further pages are damaged, is one row's.
    const bool isOfRow = (code & 0xff) == SQLITE_CORRUPT || (code & 0xff) == SQLITE_TOOBIG;
    if (!isOfRow || !table.hasRowIds) return std::nullopt;
    const DatabaseQuery query =
        prepareQuery(connection, "SELECT _rowid_ FROM " + table.source() +
                                     " NOT INDEXED WHERE _rowid_ > ?1 AND _rowid_ <= ?2 ORDER BY _rowid_ LIMIT 1");
    if (!query) return std::nullopt;
    sqlite3_bind_int64(query.get(), 1, rows.first);
    sqlite3_bind_int64(query.get(), 2, rows.last);
    if (sqlite3_step(query.get()) != SQLITE_ROW) return std::nullopt;
    const std::int64_t row = sqlite3_column_int64(query.get(), 0);
    return row > rows.first && row < rows.last ? std::optional(row + 1) : std::nullopt;
}

std::string selectRange(const DbTable& table, std::span<const std::string> columns) {
    std::string sql = "SELECT each_row(?1, _rowid_";
    for (const std::string& column : columns) sql += column.empty() ? ", NULL" : ", " + quotedName(column);
    return sql + ") FROM " + table.source() + (table.hasRowIds ? " NOT INDEXED" : "") +
           " WHERE _rowid_ BETWEEN ?2 AND ?3";
}

}  // namespace altiscope::reader
