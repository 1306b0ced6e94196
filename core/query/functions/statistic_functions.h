#pragma once

#include "core/base/values/cancel.h"

#include <sqlite3.h>

namespace altiscope {

/// Gives a connection aggregates that SQLite 3.40 lacks. All leave out NULL; a text or blob is an error of the
/// statement, as is an infinity.
///
/// - median(x) is percentile(x, 50).
/// - percentile(x, p), p from 0 to 100 and the same in all rows of a group: with the n values in order, that at place p
///   / 100 * (n - 1),
///   counted from 0, and between two neighbours linearly between their values, as in SQLite's own extension. NULL
///   without values. The result is an integer where all values are integers and it is one of them, else a real.
/// - variance(x) and stddev(x): of a sample, the sum of squares divided by n - 1, and its root; NULL for fewer than two
///   values.
///
/// Percentiles keep the values of a group, 8 bytes each, up to kMaxPercentileValues; more are an error. O(values), and
/// they end soon once `cancel` requests it; it must outlive the connection. They are no window functions.
/// @return An SQLite code.
int addStatisticFunctions(sqlite3* connection, const CancelToken& cancel);

inline constexpr std::size_t kMaxPercentileValues = std::size_t{1} << 26;

}  // namespace altiscope
