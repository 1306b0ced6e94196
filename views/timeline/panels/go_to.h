#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"

#include <QString>

#include <optional>
#include <variant>

class QWidget;

namespace altiscope {

/// Where somebody wants to go: a time on the axis, a slice, or where a link leads, whatever it says.
using GoToTarget = std::variant<TimeNs, SliceId, QString>;

/// Reads what was written: "1.25 s", "350ms", "12 us", "5 ns" since the origin; "1736408883573888000", a time on the
/// trace's own clock (shifted onto the axis); "#4398049367621", the id of a slice;
/// "altiscope:..." as it is. nullopt if it is none of these.
std::optional<GoToTarget> readGoTo(const QString& text, TimeNs origin, DurationNs shift);

/// Asks for it; nullopt if the user changed their mind. What cannot be read is reported in the dialog.
std::optional<GoToTarget> promptGoTo(TimeNs origin, DurationNs shift, QWidget* parent);

}  // namespace altiscope
