#pragma once

#include "core/base/values/time.h"

#include <optional>
#include <vector>

namespace altiscope {

/// The smallest of 1, 2, 5, 10, 20, 50, ... ns that puts neighbouring ticks at least `minSpacingPx` apart on a window
/// of this length. @pre length > 0, widthPx > 0.
DurationNs tickStep(DurationNs length, double widthPx, double minSpacingPx);

/// How many parts a step is divided into by small ticks: 5 for steps 1 and 5, 4 for 2; 1 where a part would be below 1
/// ns.
int minorParts(DurationNs step);

/// Times origin + k * step that lie in [begin, end), ascending. O(ticks).
std::vector<TimeNs> ticksWithin(TimeRange window, TimeNs origin, DurationNs step);

/// Where the label of a tick begins, in pixels of its canvas: centred at the tick, with room to the canvas's sides.
double tickLabelLeft(double tick, double labelWidth, double canvasWidth);

/// Shift of each capture's clock that puts captures on a common axis: axis time = trace time + shift. Captures whose
/// runs overlap in time (directly or through others) keep their distances; every other group is moved so that it begins
/// where the first capture's group begins, because stamps of unrelated runs may be years apart.
/// @param runs  What each capture opens on, in the order of the captures; nullopt while it holds no event.
/// @return      One shift for each entry; the group of the first entry with a run has 0.
std::vector<DurationNs> alignCaptures(const std::vector<std::optional<TimeRange>>& runs);

/// Whether two captures are on one axis: they are the same, or of one group.
/// @param a, b  Indices in `runs`, which are as above.
bool areOnOneAxis(std::size_t a, std::size_t b, const std::vector<std::optional<TimeRange>>& runs);

/// Where people's times of a capture count from, on its own clock: the begin of the one that is shown, if they are on
/// one axis; else its own.
/// @param capture, shown  Indices in `runs`, which are as above.
TimeNs originOf(std::size_t capture, std::size_t shown, const std::vector<std::optional<TimeRange>>& runs);

/// Time moved by a shift, limited to +-kMaxTimeNs, so that differences of shifted times never overflow.
TimeNs shifted(TimeNs time, DurationNs by);
TimeRange shifted(TimeRange range, DurationNs by);

}  // namespace altiscope
