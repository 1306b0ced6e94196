#pragma once

#include "core/base/text/diagnostics.h"
#include "core/query/functions/sqlite_values.h"
#include "core/query/limits/statement_limits.h"
#include "core/query/lookup/capture_index.h"
#include "core/query/lookup/index_request.h"
#include "core/query/schema/schema.h"
#include "core/query/tables/statement_sources.h"

#include <sqlite3.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <new>
#include <span>
#include <string>

namespace altiscope {

/// Context of the tables of one connection. Outlives the connection.
struct QueryContext {
    const CaptureIndex& index;
    const CancelToken& cancel;
    Diagnostics& diagnostics;
    StatementLimits& limits;    ///< Filled while the statement is prepared.
    StatementSources& sources;  ///< Likewise.
    std::size_t sortBytes = StatementLimits::kSortBytes;
};

/// Counts rows that a cursor passes over by itself, and says when to look at the cancel token.
class CancelPoll {
public:
    explicit CancelPoll(const CancelToken& cancel) : m_cancel(&cancel) {}
    /// True if the work shall stop. Looks at the token every 4096 calls, some 20 us.
    bool stop() { return (++m_count & 4095U) == 0 && m_cancel->cancelled(); }

private:
    const CancelToken* m_cancel;
    std::uint32_t m_count = 0;
};

/// Makes a virtual table of SQLite out of a table class, without virtual calls between SQLite and a row:
///
///     class Table {
///         Table(const TableInfo&, const QueryContext&);
///         std::span<const Lookup> lookups() const;   // by column
///         Lookup rowidLookup() const;
///         void plan(IndexRequest&) const;
///         class Cursor {
///             explicit Cursor(const Table&);
///             int filter(int mode, const Conditions&);   // SQLITE_OK, or SQLITE_INTERRUPT when cancelled
///             int lookUp(std::optional<std::int64_t>);   // optional: the one row with this id (the first column)
///             bool canLookUp(int column) const;          // optional: whether the next one knows this column
///             int lookUp(int column, std::optional<std::int64_t>);  // optional: the rows with this number there
///             int next();                                // likewise
///             bool atEnd() const;
///             void column(sqlite3_context*, int column) const;  // leaves NULL where it sets nothing
///             RankIndex rank() const;  // of tables with the column `recording`, which is filled here; may be kNoRank
///             std::int64_t rowid() const;
///         };
///     };
template <class Table>
class VirtualTable {
public:
    /// Registers the module under the table's name. What `info` and `context` refer to must outlive the connection.
    static int registerIn(sqlite3* connection, const TableInfo& info, const QueryContext& context) {
        auto registration = std::make_unique<Registration>(Registration{&info, &context});
        return sqlite3_create_module_v2(connection, std::string(info.name).c_str(), &kModule, registration.release(),
                                        [](void* r) { delete static_cast<Registration*>(r); });
    }

private:
    struct Registration {
        const TableInfo* info;
        const QueryContext* context;
    };
    struct Handle : sqlite3_vtab {
        Handle(const TableInfo& shown, const QueryContext& given)
            : sqlite3_vtab(), info(shown), context(given), recordingColumn(columnNumber(shown, "recording")),
              table(info, context) {}
        const TableInfo& info;
        const QueryContext& context;
        const int recordingColumn;  // -1: it has none
        Table table;
    };
    struct CursorHandle : sqlite3_vtab_cursor {
        explicit CursorHandle(const Table& table) : sqlite3_vtab_cursor(), cursor(table) {}
        typename Table::Cursor cursor;
    };
    static typename Table::Cursor& cursorOf(sqlite3_vtab_cursor* cursor) {
        return static_cast<CursorHandle*>(cursor)->cursor;
    }

    /// No exception may pass through SQLite; the only one that our code meets is that of a full memory.
    template <class Body>
    static int guarded(Body body) {
        try {
            return body();
        } catch (const std::bad_alloc&) { return SQLITE_NOMEM; }
    }

    static int connect(sqlite3* connection, void* aux, int, const char* const*, sqlite3_vtab** table, char**) {
        return guarded([&] {
            const auto* registration = static_cast<const Registration*>(aux);
            const int rc = sqlite3_declare_vtab(connection, createStatement(*registration->info).c_str());
            // It reads the capture and does nothing else: views may name it.
            if (rc == SQLITE_OK) sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
            if (rc == SQLITE_OK) *table = new Handle(*registration->info, *registration->context);
            return rc;
        });
    }
    static int disconnect(sqlite3_vtab* table) {
        delete static_cast<Handle*>(table);
        return SQLITE_OK;
    }
    /// Columns of the table that the statement reads. SQLite asks nobody's leave for columns that USING and NATURAL
    /// compare.
    static void noteColumns(const Handle& handle, sqlite3_uint64 used) {
        constexpr std::size_t kBits = 63;  // the last one stands for all further columns
        handle.context.sources.addColumn(handle.info.name, {});
        for (std::size_t i = 0; i < handle.info.columns.size(); ++i) {
            if ((used >> std::min(i, kBits) & 1U) != 0)
                handle.context.sources.addColumn(handle.info.name, handle.info.columns[i].name);
        }
    }
    static int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
        return guarded([&] {
            const Handle& handle = *static_cast<Handle*>(table);
            const Table& self = handle.table;
            noteColumns(handle, info->colUsed);
            IndexRequest request(*info, self.lookups(), self.rowidLookup(), handle.context.cancel);
            self.plan(request);
            return SQLITE_OK;
        });
    }
    static int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
        return guarded([&] {
            *cursor = new CursorHandle(static_cast<Handle*>(table)->table);
            return SQLITE_OK;
        });
    }
    static int close(sqlite3_vtab_cursor* cursor) {
        delete static_cast<CursorHandle*>(cursor);
        return SQLITE_OK;
    }
    static int filter(sqlite3_vtab_cursor* cursor, int mode, const char* plan, int count, sqlite3_value** values) {
        return guarded([&] {
            if constexpr (requires(typename Table::Cursor c) { c.lookUp(std::optional<std::int64_t>()); }) {
                // The inner loop of a join asks this for every row of the outer one.
                if (count == 1 && isIdLookup(plan)) {
                    if (sqlite3_value_type(values[0]) == SQLITE_INTEGER)
                        return cursorOf(cursor).lookUp(sqlite3_value_int64(values[0]));
                    IntegerSet id;
                    keepMatching(id, ConditionOp::Equal, values[0]);
                    return cursorOf(cursor).lookUp(id.empty() ? std::nullopt : std::optional(id.low()));
                }
            }
            if constexpr (requires(typename Table::Cursor c) { c.lookUp(0, std::optional<std::int64_t>()); }) {
                if (const int column = plan[0] - 'A';
                    count == 1 && isIntegerLookup(plan) && cursorOf(cursor).canLookUp(column)) {
                    if (sqlite3_value_type(values[0]) == SQLITE_INTEGER)
                        return cursorOf(cursor).lookUp(column, sqlite3_value_int64(values[0]));
                    IntegerSet value;
                    keepMatching(value, ConditionOp::Equal, values[0]);
                    return cursorOf(cursor).lookUp(column, value.empty() ? std::nullopt : std::optional(value.low()));
                }
            }
            const CancelToken& cancel = static_cast<Handle*>(cursor->pVtab)->context.cancel;
            const Conditions conditions(plan, {values, static_cast<std::size_t>(count)}, cancel);
            return cursorOf(cursor).filter(mode, conditions);
        });
    }
    /// A condition "id = value" on the first column or the rowid, as Conditions explains the letters.
    static bool isIdLookup(const char* plan) { return (plan[0] == 'A' || plan[0] == 'A' - 1) && isIntegerLookup(plan); }
    static bool isIntegerLookup(const char* plan) {
        return plan[1] == static_cast<char>(ConditionOp::Equal) && plan[2] == 'i';
    }
    static int next(sqlite3_vtab_cursor* cursor) { return cursorOf(cursor).next(); }
    static int eof(sqlite3_vtab_cursor* cursor) { return cursorOf(cursor).atEnd() ? 1 : 0; }
    static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
        return guarded([&] {
            if constexpr (requires(const typename Table::Cursor& c) { c.rank(); }) {
                const Handle& handle = *static_cast<Handle*>(cursor->pVtab);
                if (number == handle.recordingColumn) {
                    resultTextOrNull(context, handle.context.index.recording(cursorOf(cursor).rank()));
                    return SQLITE_OK;
                }
            }
            cursorOf(cursor).column(context, number);
            return SQLITE_OK;
        });
    }
    static int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
        *id = cursorOf(cursor).rowid();
        return SQLITE_OK;
    }

    static constexpr sqlite3_module makeModule() {
        sqlite3_module module{};
        module.iVersion = 1;
        module.xCreate = connect;
        module.xConnect = connect;
        module.xBestIndex = bestIndex;
        module.xDisconnect = disconnect;
        module.xDestroy = disconnect;
        module.xOpen = open;
        module.xClose = close;
        module.xFilter = filter;
        module.xNext = next;
        module.xEof = eof;
        module.xColumn = column;
        module.xRowid = rowid;
        return module;
    }
    static constexpr sqlite3_module kModule = makeModule();
};

}  // namespace altiscope
