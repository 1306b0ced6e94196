#pragma once

#include "views/timeline/times/rank_shifts.h"

#include <QString>

namespace altiscope {

/// Where a rank is drawn and why, as a sentence in the present language; empty if nothing was requested for its
/// capture.
/// @param shifts  May be null.
QString shiftText(const RankShifts* shifts, RankIndex rank);

/// The same of a track that is moved against its rank; empty if it is not.
QString trackShiftText(const RankShifts* shifts, RankIndex rank, TrackIndex track);

/// The same in a word: "by hand"; empty for what is drawn as recorded. Of an operator with a place for its name.
QString shiftOriginText(ShiftOrigin origin);
QString shiftOriginText(const RankShifts* shifts, RankIndex rank);

}  // namespace altiscope
