#pragma once

#include "core/session/sql_runner.h"

#include <QString>

namespace altiscope {

// Outcome of a statement, in words. Translated; call again on QEvent::LanguageChange.

/// "1,234 rows in 15 ms", with the time until the first ones where that differs; "Running: 1,234 rows after 3 s" ...
/// @param found  Rows while it runs, SqlRunner::rowsFound().
QString runText(const SqlRun& run, std::uint64_t found, double secondsSoFar);

/// Which limit has acted and how to get everything; what was lost. Empty: nothing to say.
QString limitText(const SqlRun& run, const SqlRows::Limits& limits);

/// "840 ms", "12.5 s".
QString secondsText(double seconds);

}  // namespace altiscope
