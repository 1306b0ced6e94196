#pragma once

#include "core/query/schema/table_functions.h"
#include "core/query/tables/virtual_table.h"

#include <sqlite3.h>

#include <array>
#include <memory>
#include <new>
#include <span>
#include <string>

namespace altiscope {

/// Makes a table-valued function of SQLite out of a class of cursors:
///
///     class Cursor {
///         Cursor(sqlite3*, const TableFunctionInfo&, const QueryContext&);
///         /// By argument; null for one that is left out. `problem` gets what is wrong, for SQLITE_ERROR.
///         int start(std::span<sqlite3_value* const> arguments, std::string& problem);
///         int next();
///         bool atEnd() const;
///         void column(sqlite3_context*, int column) const;
///     };
template <class Cursor>
class TableFunction {
public:
    /// The objects that `info` and `context` refer to must outlive the connection.
    static int registerIn(sqlite3* connection, const TableFunctionInfo& info, const QueryContext& context) {
        auto registration = std::make_unique<Registration>(Registration{&info, &context});
        return sqlite3_create_module_v2(connection, std::string(info.name).c_str(), &kModule, registration.release(),
                                        [](void* r) { delete static_cast<Registration*>(r); });
    }

private:
    static constexpr std::size_t kMaxArguments = 3;

    struct Registration {
        const TableFunctionInfo* info;
        const QueryContext* context;
    };
    struct Handle : sqlite3_vtab {
        Handle(sqlite3* database, const Registration& given)
            : sqlite3_vtab(), connection(database), info(*given.info), context(*given.context) {}
        sqlite3* connection;
        const TableFunctionInfo& info;
        const QueryContext& context;
    };
    struct CursorHandle : sqlite3_vtab_cursor {
        explicit CursorHandle(const Handle& handle)
            : sqlite3_vtab_cursor(), cursor(handle.connection, handle.info, handle.context) {}
        Cursor cursor;
        sqlite3_int64 row = 0;
    };
    static CursorHandle& handleOf(sqlite3_vtab_cursor* cursor) { return *static_cast<CursorHandle*>(cursor); }

    /// As VirtualTable has it.
    template <class Body>
    static int guarded(Body body) {
        try {
            return body();
        } catch (const std::bad_alloc&) { return SQLITE_NOMEM; }
    }

    static int connect(sqlite3* connection, void* aux, int, const char* const*, sqlite3_vtab** table, char**) {
        return guarded([&] {
            const auto& registration = *static_cast<const Registration*>(aux);
            std::string sql = "CREATE TABLE x(";
            for (const ColumnInfo& column : registration.info->columns)
                sql += '"' + std::string(column.name) + "\" " + std::string(typeOf(column)) + ", ";
            for (const ColumnInfo& argument : registration.info->arguments)
                sql += '"' + std::string(argument.name) + "\" HIDDEN, ";
            sql.replace(sql.size() - 2, 2, ")");
            const int rc = sqlite3_declare_vtab(connection, sql.c_str());
            if (rc != SQLITE_OK) return rc;
            sqlite3_vtab_config(connection, SQLITE_VTAB_INNOCUOUS);
            *table = new Handle(connection, registration);
            return SQLITE_OK;
        });
    }
    /// A value of any type is kept as it is.
    static std::string_view typeOf(const ColumnInfo& column) {
        return column.name == "key" ? std::string_view() : columnTypeName(column.type);
    }
    static int disconnect(sqlite3_vtab* table) {
        delete static_cast<Handle*>(table);
        return SQLITE_OK;
    }
    static int bestIndex(sqlite3_vtab* table, sqlite3_index_info* info) {
        const Handle& handle = *static_cast<Handle*>(table);
        // The tables that its arguments read are known when it runs.
        handle.context.sources.addComputedRows();
        const int first = static_cast<int>(handle.info.columns.size());
        int given = 0, count = 0;
        for (int argument = 0; argument < static_cast<int>(handle.info.arguments.size()); ++argument) {
            for (int i = 0; i < info->nConstraint; ++i) {
                const auto& constraint = info->aConstraint[i];
                if (constraint.iColumn != first + argument || constraint.op != SQLITE_INDEX_CONSTRAINT_EQ) continue;
                if (!constraint.usable) return SQLITE_CONSTRAINT;
                info->aConstraintUsage[i].argvIndex = ++count;
                info->aConstraintUsage[i].omit = 1;
                given |= 1 << argument;
                break;
            }
        }
        static constexpr double kRows = 100;
        info->idxNum = given;
        info->estimatedRows = static_cast<sqlite3_int64>(kRows);
        info->estimatedCost = kRows * 10;
        return SQLITE_OK;
    }
    static int open(sqlite3_vtab* table, sqlite3_vtab_cursor** cursor) {
        return guarded([&] {
            *cursor = new CursorHandle(*static_cast<Handle*>(table));
            return SQLITE_OK;
        });
    }
    static int close(sqlite3_vtab_cursor* cursor) {
        delete static_cast<CursorHandle*>(cursor);
        return SQLITE_OK;
    }
    static int filter(sqlite3_vtab_cursor* cursor, int given, const char*, int count, sqlite3_value** values) {
        return guarded([&] {
            std::array<sqlite3_value*, kMaxArguments> arguments{};
            for (std::size_t i = 0, next = 0; i < kMaxArguments && next < static_cast<std::size_t>(count); ++i)
                if ((given >> i & 1) != 0) arguments[i] = values[next++];
            handleOf(cursor).row = 0;
            std::string problem;
            const int rc = handleOf(cursor).cursor.start(arguments, problem);
            if (rc == SQLITE_ERROR && !problem.empty()) {
                sqlite3_free(cursor->pVtab->zErrMsg);
                cursor->pVtab->zErrMsg = sqlite3_mprintf("%s", problem.c_str());
            }
            return rc;
        });
    }
    static int next(sqlite3_vtab_cursor* cursor) {
        ++handleOf(cursor).row;
        return guarded([&] { return handleOf(cursor).cursor.next(); });
    }
    static int eof(sqlite3_vtab_cursor* cursor) { return handleOf(cursor).cursor.atEnd() ? 1 : 0; }
    static int column(sqlite3_vtab_cursor* cursor, sqlite3_context* context, int number) {
        const Handle& handle = *static_cast<Handle*>(cursor->pVtab);
        if (number >= static_cast<int>(handle.info.columns.size())) return SQLITE_OK;
        return guarded([&] {
            handleOf(cursor).cursor.column(context, number);
            return SQLITE_OK;
        });
    }
    static int rowid(sqlite3_vtab_cursor* cursor, sqlite3_int64* id) {
        *id = handleOf(cursor).row + 1;
        return SQLITE_OK;
    }

    static constexpr sqlite3_module makeModule() {
        sqlite3_module module{};
        module.iVersion = 1;
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
