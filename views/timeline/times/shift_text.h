#pragma once

#include "views/timeline/times/rank_shifts.h"

#include <QString>

namespace altiscope {

/// Where a rank is drawn and why, as a sentence in the present language; empty if nothing was requested for its
/// capture.
/// @param shifts  May be null.
QString shiftText(const RankShifts* shifts, RankIndex rank);

/// The same in a word: "by hand"; empty for a rank that is drawn as recorded.
QString shiftOriginText(const RankShifts* shifts, RankIndex rank);

}  // namespace altiscope
