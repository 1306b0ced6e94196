#include "core/query/tables/span_functions.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

namespace {

bool areSame(sqlite3_value* a, sqlite3_value* b) {
    const int type = sqlite3_value_type(a);
    if (type != sqlite3_value_type(b)) return false;
    switch (type) {
    case SQLITE_NULL: return true;
    case SQLITE_INTEGER: return sqlite3_value_int64(a) == sqlite3_value_int64(b);
    case SQLITE_FLOAT: return sqlite3_value_double(a) == sqlite3_value_double(b);
    default: return valueText(a) == valueText(b);
    }
}

std::string textOf(sqlite3_value* value) {
    if (value == nullptr || sqlite3_value_type(value) != SQLITE_TEXT) return {};
    const auto* text = reinterpret_cast<const char*>(sqlite3_value_text(value));
    return text == nullptr ? std::string() : std::string(text);
}

bool isView(std::string_view name) {
    const auto views = schemaViews();
    return std::any_of(views.begin(), views.end(), [name](const ViewInfo& view) { return view.name == name; });
}

/// Rows of a table or SELECT with the columns side, key, ts, dur, id.
std::string partOf(const std::string& source, const std::string& by, int side, bool wantsId) {
    const bool isTable = findTable(source) != nullptr;
    const bool isNamed = isTable || isView(source);
    const std::string from = isNamed ? '"' + source + '"' : "(" + source + "\n)";
    const std::string key = by.empty() ? "NULL" : by.find(',') == std::string::npos ? by : "json_array(" + by + ")";
    const std::string id = !wantsId || (isNamed && !isTable) ? "NULL" : isTable ? "rowid" : "id";
    return "SELECT " + std::to_string(side) + ", " + key + ", ts, dur, " + id + " FROM " + from +
           " WHERE ts IS NOT NULL AND dur >= 0";
}

struct Finalize {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};

}  // namespace

std::string SpanFunctionCursor::sqlOf(std::span<sqlite3_value* const> arguments) const {
    const bool wantsId = m_info.name == "span_join";
    const std::string by = textOf(arguments[isPair() ? 2 : 1]);
    std::string sql = partOf(textOf(arguments[0]), by, 0, wantsId);
    if (isPair()) sql += " UNION ALL " + partOf(textOf(arguments[1]), by, 1, wantsId);
    return sql + " ORDER BY 2, 3, 1";
}

int SpanFunctionCursor::start(std::span<sqlite3_value* const> arguments, std::string& problem) {
    m_keys.clear();
    m_rows.clear();
    m_next = 0;
    for (auto& spans : m_spans) spans.clear();
    for (std::size_t i = 0; i < (isPair() ? 2U : 1U); ++i) {
        if (!textOf(arguments[i]).empty()) continue;
        problem = std::string(m_info.name) + " needs a table or a SELECT: " + std::string(m_info.call);
        return SQLITE_ERROR;
    }
    const std::string sql = sqlOf(arguments);
    sqlite3_stmt* raw = nullptr;
    const char* rest = nullptr;
    const int rc = sqlite3_prepare_v2(m_connection, sql.data(), static_cast<int>(sql.size()), &raw, &rest);
    const std::unique_ptr<sqlite3_stmt, Finalize> statement(raw);
    if (rc != SQLITE_OK || rest != sql.data() + sql.size() || sqlite3_stmt_readonly(raw) == 0) {
        problem = std::string(m_info.name) + ": " +
                  (rc != SQLITE_OK ? sqlite3_errmsg(m_connection) : "each SELECT must be a single one");
        return rc == SQLITE_NOMEM ? rc : SQLITE_ERROR;
    }
    // Functions in it may take long for each byte.
    sqlite3_limit(m_connection, SQLITE_LIMIT_LENGTH, static_cast<int>(m_context.limits.valueBytes()));
    return read(raw, problem);
}

int SpanFunctionCursor::read(sqlite3_stmt* statement, std::string& problem) {
    enum : int { Side, KeyColumn, Ts, Dur, Id };
    std::size_t count = 0;
    const auto tooMuch = [&] {
        if (m_context.cancel.cancelled()) return SQLITE_INTERRUPT;
        problem = std::string(m_info.name) + ": more than " + std::to_string(kMaxSpans) + " rows";
        return SQLITE_ERROR;
    };
    for (;;) {
        const int rc = sqlite3_step(statement);
        if (rc == SQLITE_DONE) return endKey() ? SQLITE_OK : tooMuch();
        if (rc != SQLITE_ROW) {
            problem = std::string(m_info.name) + ": " + sqlite3_errmsg(m_connection);
            return rc == SQLITE_INTERRUPT || rc == SQLITE_NOMEM ? rc : SQLITE_ERROR;
        }
        if (++count > kMaxSpans) return tooMuch();
        sqlite3_value* key = sqlite3_column_value(statement, KeyColumn);
        if (m_keys.empty() || !areSame(m_keys.back().get(), key)) {
            if (!endKey()) return tooMuch();
            m_keys.emplace_back(sqlite3_value_dup(key));
            if (m_keys.back() == nullptr) return SQLITE_NOMEM;
        }
        Span span{sqlite3_column_int64(statement, Ts), 0, sqlite3_column_int64(statement, Id),
                  sqlite3_column_type(statement, Id) != SQLITE_NULL};
        if (__builtin_add_overflow(span.ts, sqlite3_column_int64(statement, Dur), &span.end)) span.end = INT64_MAX;
        m_spans[sqlite3_column_int(statement, Side)].push_back(span);
    }
}

bool SpanFunctionCursor::add(Row row) {
    row.key = static_cast<std::uint32_t>(m_keys.size() - 1);
    if (m_rows.size() == kMaxSpans || m_poll.stop()) return false;
    m_rows.push_back(row);
    return true;
}

/// A span without duration is at its begin alone.
bool SpanFunctionCursor::contains(const Span& span, std::int64_t time) {
    return span.ts == time || (span.ts < time && time < span.end);
}

std::vector<SpanFunctionCursor::Row> SpanFunctionCursor::merged(std::span<const Span> spans) {
    std::vector<Row> rows;
    for (const Span& span : spans) {
        if (!rows.empty() && span.ts <= rows.back().ts + rows.back().dur) {
            rows.back().dur = std::max(rows.back().dur, span.end - rows.back().ts);
            ++rows.back().count;
        } else {
            rows.push_back({0, span.ts, span.end - span.ts, 1, {}, {}});
        }
    }
    return rows;
}

bool SpanFunctionCursor::endKey() {
    if (m_keys.empty()) return true;
    bool isWell = true;
    if (m_info.name == "span_join") {
        isWell = addPairs();
    } else if (isPair()) {
        isWell = addIntersection();
    } else {
        const std::vector<Row> rows = merged(m_spans[0]);
        const bool wantsGaps = m_info.name == "gaps";
        for (std::size_t i = wantsGaps ? 1 : 0; isWell && i < rows.size(); ++i) {
            if (!wantsGaps) {
                isWell = add(rows[i]);
                continue;
            }
            const std::int64_t end = rows[i - 1].ts + rows[i - 1].dur;
            isWell = add({0, end, rows[i].ts - end, 0, {}, {}});
        }
    }
    for (auto& spans : m_spans) spans.clear();
    return isWell;
}

bool SpanFunctionCursor::addIntersection() {
    const std::vector<Row> first = merged(m_spans[0]), second = merged(m_spans[1]);
    for (std::size_t i = 0, k = 0; i < first.size() && k < second.size();) {
        const std::int64_t ends[] = {first[i].ts + first[i].dur, second[k].ts + second[k].dur};
        const std::int64_t begin = std::max(first[i].ts, second[k].ts), end = std::min(ends[0], ends[1]);
        if (begin < end && !add({0, begin, end - begin, 0, {}, {}})) return false;
        ++(ends[0] < ends[1] ? i : k);
    }
    return true;
}

bool SpanFunctionCursor::addPairs() {
    const auto& second = m_spans[1];
    std::vector<std::size_t> running;  // of the second: what has begun by the begin of a left one, and not ended
    std::size_t next = 0;
    const auto addPair = [&](const Span& left, const Span& right) {
        const std::int64_t begin = std::max(left.ts, right.ts), end = std::min(left.end, right.end);
        return add({0, begin, end - begin, 0, left, right});
    };
    for (const Span& left : m_spans[0]) {
        for (; next < second.size() && second[next].ts <= left.ts; ++next) running.push_back(next);
        std::erase_if(running, [&](std::size_t i) { return !contains(second[i], left.ts); });
        for (const std::size_t i : running)
            if (!addPair(left, second[i])) return false;
        for (std::size_t i = next; i < second.size() && second[i].ts < left.end; ++i)
            if (!addPair(left, second[i])) return false;
    }
    return true;
}

void SpanFunctionCursor::column(sqlite3_context* result, int column) const {
    enum : int { KeyColumn, Ts, Dur, Third, Fourth };
    const Row& row = m_rows[m_next];
    const auto id = [result](const Span& span) {
        if (span.hasId) resultInteger(result, span.id);
    };
    switch (column) {
    case KeyColumn: return sqlite3_result_value(result, m_keys[row.key].get());
    case Ts: return resultInteger(result, row.ts);
    case Dur: return resultInteger(result, row.dur);
    case Third:
        if (m_info.name == "span_join") return id(row.left);
        return resultInteger(result, row.count);
    case Fourth: return id(row.right);
    default: return;
    }
}

}  // namespace altiscope
