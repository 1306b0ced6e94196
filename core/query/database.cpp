#include "core/query/database.h"

#include "core/base/files/sqlite_guard.h"
#include "core/query/connection.h"
#include "core/query/functions/sqlite_values.h"
#include "core/query/limits/query_memory.h"
#include "core/query/lookup/capture_index.h"
#include "core/query/schema/schema.h"
#include "core/query/schema/wrong_name.h"

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

namespace {

/// Line and column, from 1, of a byte of the text; columns count characters.
std::pair<std::size_t, std::size_t> lineAndColumn(std::string_view text, std::size_t offset) {
    const std::string_view before = text.substr(0, offset);
    const std::size_t lineStart = before.rfind('\n') + 1;  // npos + 1 is 0
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const auto columns = std::count_if(before.begin() + static_cast<std::ptrdiff_t>(lineStart), before.end(),
                                       [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; });
    return {static_cast<std::size_t>(lines) + 1, static_cast<std::size_t>(columns) + 1};
}

Error outOfMemory() { return {"sql.out_of_memory", {}, {}, {{"limit", std::to_string(QueryMemory::kBytes)}}}; }

Error stepError(sqlite3* connection, int rc, const StatementLimits& limits) {
    if ((rc & 0xff) == SQLITE_NOMEM) return outOfMemory();
    if ((rc & 0xff) == SQLITE_TOOBIG) {
        const auto text = [](std::size_t bytes) { return std::to_string(bytes); };
        return {"sql.value_too_long",
                {},
                {},
                {{"limit", text(limits.valueBytes())}, {"most", text(StatementLimits::kMaxBytes)}}};
    }
    if ((rc & 0xff) == SQLITE_FULL)
        return {"sql.temporary_full", {}, {}, {{"limit", std::to_string(kMaxTemporaryBytes)}}};
    return {"sql.failed", {}, {}, {{"message", sqlite3_errmsg(connection)}}};
}

Error prepareError(sqlite3* connection, int rc, std::string_view sql) {
    if ((rc & 0xff) == SQLITE_AUTH) return {"sql.denied", {}, {}, {}};
    if ((rc & 0xff) == SQLITE_NOMEM) return outOfMemory();
    Error error{"sql.invalid", {}, {}, {{"message", sqlite3_errmsg(connection)}}};
    const int offset = sqlite3_error_offset(connection);
    std::optional<std::size_t> place;
    if (offset >= 0) place = static_cast<std::size_t>(offset);
    // SQLite does not say where a table stands that it does not know.
    if (const auto wrong = wrongNameOf(sql, sqlite3_errmsg(connection), place)) {
        place = wrong->begin;
        if (!wrong->near.empty()) {
            error.code = "sql.invalid_near";
            error.parameters.emplace_back("near", wrong->near);
        }
    }
    // Without a place the fault concerns the statement as a whole, or its end.
    const std::size_t at = place.value_or(0);
    if (place) error.place = "byte " + std::to_string(at);
    const auto [line, column] = lineAndColumn(sql, at);
    error.parameters.emplace_back("line", std::to_string(line));
    error.parameters.emplace_back("column", std::to_string(column));
    return error;
}

/// The statement of a text, which must hold exactly one.
Result<Statement> prepareOne(sqlite3* connection, std::string_view sql) {
    constexpr std::size_t kLimit = QueryDatabase::kMaxSqlBytes;
    if (sql.size() > kLimit)
        return Error{
            "sql.too_long", {}, {}, {{"bytes", std::to_string(sql.size())}, {"limit", std::to_string(kLimit)}}};
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    const int rc = sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &raw, &rest);
    Statement statement(raw);
    if (rc != SQLITE_OK) return prepareError(connection, rc, sql);
    if (!statement) return Error{"sql.empty", {}, {}, {}};
    // A statement without columns requests nothing: REINDEX, for one, passes as read-only where there is no index.
    if (sqlite3_stmt_readonly(raw) == 0 || sqlite3_column_count(raw) == 0) return Error{"sql.denied", {}, {}, {}};
    // The rest may only be blanks, comments and semicolons: nothing that prepares to a statement.
    const char* end = sql.data() + sql.size();
    while (rest < end) {
        sqlite3_stmt* further = nullptr;
        const char* next = nullptr;
        const int again = sqlite3_prepare_v2(connection, rest, static_cast<int>(end - rest), &further, &next);
        const Statement owned(further);
        if (again != SQLITE_OK || owned) return Error{"sql.several_statements", {}, {}, {}};
        if (next <= rest) break;
        rest = next;
    }
    return statement;
}

/// The texts must stay until the statement has run.
int bindParameters(sqlite3_stmt* statement, std::span<const QueryParameter> parameters) {
    int rc = SQLITE_OK;
    for (const QueryParameter& parameter : parameters) {
        const int index = sqlite3_bind_parameter_index(statement, parameter.name.c_str());
        if (index == 0 || rc != SQLITE_OK) continue;
        if (const auto* whole = std::get_if<std::int64_t>(&parameter.value))
            rc = sqlite3_bind_int64(statement, index, *whole);
        else if (const auto* real = std::get_if<double>(&parameter.value))
            rc = sqlite3_bind_double(statement, index, *real);
        else if (const auto* text = std::get_if<std::string>(&parameter.value))
            rc = sqlite3_bind_text64(statement, index, text->data(), text->size(), SQLITE_STATIC, SQLITE_UTF8);
    }
    return rc;
}

/// Column of the schema that a column of the result is; null if it is computed.
const ColumnInfo* schemaColumn(sqlite3_stmt* statement, int column) {
    const char* table = sqlite3_column_table_name(statement, column);
    const char* name = sqlite3_column_origin_name(statement, column);
    const TableInfo* info = table == nullptr || name == nullptr ? nullptr : findTable(table);
    const int number = info == nullptr ? -1 : columnNumber(*info, name);
    return number < 0 ? nullptr : &info->columns[static_cast<std::size_t>(number)];
}

Value columnValue(sqlite3_stmt* statement, int column) {
    Value value;
    switch (sqlite3_column_type(statement, column)) {
    case SQLITE_INTEGER:
        value.type = ValueType::Integer;
        value.integer = sqlite3_column_int64(statement, column);
        break;
    case SQLITE_FLOAT:
        value.type = ValueType::Real;
        value.real = sqlite3_column_double(statement, column);
        break;
    case SQLITE_TEXT:
    case SQLITE_BLOB: {
        value.type = sqlite3_column_type(statement, column) == SQLITE_TEXT ? ValueType::Text : ValueType::Blob;
        const auto* bytes = static_cast<const char*>(sqlite3_column_blob(statement, column));
        value.bytes = {bytes == nullptr ? "" : bytes,
                       static_cast<std::size_t>(sqlite3_column_bytes(statement, column))};
        break;
    }
    default: break;
    }
    return value;
}

}  // namespace

struct QueryDatabase::Impl {
    CaptureIndex index;
    const std::size_t sortBytes;
};

QueryDatabase::QueryDatabase(std::shared_ptr<const CaptureStore> capture, std::size_t sortBytes)
    : m_impl(new Impl{CaptureIndex(std::move(capture)), sortBytes}) {}

QueryDatabase::~QueryDatabase() = default;

Result<QuerySummary> QueryDatabase::run(std::string_view sql, RowSink& sink, const CancelToken& cancel,
                                        std::span<const QueryParameter> parameters) const {
    if (cancel.cancelled()) return Cancelled{};
    QuerySummary summary;
    const QueryMemory memory;
    const CancelsTemporaryFiles files(cancel);
    StatementLimits limits;
    StatementSources sources;
    const QueryContext context{m_impl->index, cancel, summary.diagnostics, limits, sources, m_impl->sortBytes};
    auto connection = openConnection(context);
    if (!connection.ok()) return connection.as<QuerySummary>();
    auto statement = prepareOne(connection.value().get(), sql);
    if (cancel.cancelled()) return Cancelled{};
    if (!statement.ok()) return statement.as<QuerySummary>();
    sqlite3_stmt* rows = statement.value().get();
    applyLimits(connection.value().get(), context);

    if (const int rc = bindParameters(rows, parameters); rc != SQLITE_OK)
        return stepError(connection.value().get(), rc, limits);
    std::vector<std::string> names;
    std::vector<const ColumnInfo*> known;
    for (int i = 0; i < sqlite3_column_count(rows); ++i) {
        names.emplace_back(sqlite3_column_name(rows, i));
        known.push_back(schemaColumn(rows, i));
    }
    std::vector<Value> values(names.size());
    sink.describe(known);
    summary.complete = sink.begin(names);
    while (summary.complete) {
        const int rc = sqlite3_step(rows);
        // First: what was cancelled may end as if there were no more rows.
        if (cancel.cancelled()) return Cancelled{};
        if (rc == SQLITE_DONE) break;
        if (rc != SQLITE_ROW) return stepError(connection.value().get(), rc, limits);
        for (std::size_t i = 0; i < values.size(); ++i) values[i] = columnValue(rows, static_cast<int>(i));
        ++summary.rows;
        summary.complete = sink.row(values);
    }
    if (cancel.cancelled()) return Cancelled{};
    summary.steps = static_cast<std::uint64_t>(sqlite3_stmt_status(rows, SQLITE_STMTSTATUS_VM_STEP, 0));
    return summary;
}

std::optional<Error> QueryDatabase::problemOf(std::string_view sql) {
    const CaptureIndex nothing(std::make_shared<const CaptureStore>());
    const CancelToken never;
    Diagnostics problems;
    StatementLimits limits;
    StatementSources sources;
    const QueryMemory memory;
    const QueryContext context{nothing, never, problems, limits, sources, kSortBytes};
    const auto connection = openConnection(context);
    if (!connection.ok()) return connection.error();
    const auto statement = prepareOne(connection.value().get(), sql);
    return statement.ok() ? std::nullopt : std::optional(statement.error());
}

}  // namespace altiscope
