#pragma once

#include "core/base/values/cancel.h"

struct sqlite3;

namespace altiscope {

/// Gives a connection the operator `text REGEXP pattern`, for which SQLite has a place but no function. NULL on either
/// side gives NULL. A wrong pattern and one that tries too many ways are errors of the statement. `cancel` must outlive
/// the connection.
int addRegexpFunction(sqlite3* connection, const CancelToken& cancel);

}  // namespace altiscope
