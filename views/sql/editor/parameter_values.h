#pragma once

#include "core/session/sql_runner.h"

#include <QString>

namespace altiscope {

/// Value of a field's text: a number if it reads as one, what is in 'quotes' as text, nothing or "null" as NULL,
/// and anything else as text.
QueryParameter parameterOf(const QString& name, const QString& text);

}  // namespace altiscope
