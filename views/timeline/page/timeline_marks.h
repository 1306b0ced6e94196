#pragma once

#include "core/session/marks.h"
#include "views/timeline/scene/timeline_selection.h"

#include <QString>

#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// The marks of all captures that are shown, where they stand on the axis.
std::vector<ShownMark> shownMarks(const Marks& marks, const TimelineSources& sources);

/// A moment that another page shows.
struct MomentElsewhere {
    CaptureId capture;
    RankIndex rank{};  ///< Whose clock the time is on.
    TimeNs time;
    QString title;
};
/// The same among the marks; nothing if its capture is not shown.
void addMoment(std::vector<ShownMark>& shown, const MomentElsewhere& moment, const TimelineSources& sources);

/// Sets a mark at the marked range; else where the pointer is, in the capture whose row is there; else where the
/// selected slice begins. @return false if there is none of those.
bool addMark(Marks& marks, const SelectionState& shared, const TimelineSelection& selection,
             const TimelineSources& sources, std::optional<TimeNs> pointer, std::uint32_t source);

}  // namespace altiscope
