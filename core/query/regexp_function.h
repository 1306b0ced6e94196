#pragma once

struct sqlite3;

namespace altiscope {

/// Gives a connection the operator `text REGEXP pattern`, for which SQLite has a place but no function. NULL on either side
/// gives NULL. A wrong pattern and one that tries too many ways are errors of the statement.
int addRegexpFunction(sqlite3* connection);

}  // namespace altiscope
