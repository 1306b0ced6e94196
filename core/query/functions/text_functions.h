#pragma once

#include "core/base/values/cancel.h"

#include <sqlite3.h>

namespace altiscope {

/// Puts functions in the place of those of SQLite that take the product of two long texts: instr, replace, LIKE, GLOB,
/// and trim, ltrim and rtrim of given characters. They give the same results, end soon once `cancel` requests it, and
/// take time in proportion to their arguments (LIKE and GLOB: to the product, at worst). `cancel` must outlive the
/// connection.
/// @return An SQLite code.
int addTextFunctions(sqlite3* connection, const CancelToken& cancel);

}  // namespace altiscope
