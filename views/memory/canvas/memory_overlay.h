#pragma once

#include "views/memory/canvas/curve_overlay.h"
#include "views/memory/data/curve_envelopes.h"

#include <cstdint>
#include <vector>

namespace altiscope {

struct Mark;
struct RankMemory;

/// Steps of a rank, the user's marks, and the time that all pages are to show. GUI thread, as is the other one.
CurveOverlay memoryOverlay(const RankMemory& memory, const std::vector<Mark>& marks);

/// Where each of the lines that are shown is highest within the context's times.
std::vector<CurvePoint> peakPoints(const RankMemory& memory, const std::vector<CurveLine>& lines, TimeNs origin);

}  // namespace altiscope
