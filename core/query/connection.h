#pragma once

#include "core/base/values/result.h"
#include "core/query/tables/virtual_table.h"

#include <sqlite3.h>

#include <memory>

namespace altiscope {

struct CloseConnection {
    void operator()(sqlite3* connection) const { sqlite3_close(connection); }
};
struct FinalizeStatement {
    void operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
};
using Connection = std::unique_ptr<sqlite3, CloseConnection>;
using Statement = std::unique_ptr<sqlite3_stmt, FinalizeStatement>;

/// A connection to an empty database in memory that knows all tables of the schema and can do nothing but read them:
/// with limits, an authorizer that allows SELECT alone, and a progress handler that ends statements when
/// `context.cancel` requests it. `context` must outlive it.
/// @return Error "sql.failed" if SQLite refuses to be set up.
Result<Connection> openConnection(const QueryContext& context);
Result<Connection> openConnection(const QueryContext&& context) = delete;  // what SQLite keeps would point to nothing

/// Holds the connection to what its prepared statement needs: the length of values, and how often the token is looked
/// at.
void applyLimits(sqlite3* connection, const QueryContext& context);

}  // namespace altiscope
