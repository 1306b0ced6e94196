#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/segment.h"
#include "core/store/columns/source_names.h"
#include "core/store/seal/seal.h"

#include <cstddef>

namespace altiscope {

/// Tracks of call stacks, one for each thread with operators that were recorded with what called them.
///
/// Operators of a thread are taken by begin, of several the longest first; those of length 0 do not count. A frame is a
/// slice over a run of operators that follow each other and agree in all frames from the outermost to this one: from
/// the begin of the first to the last end of any of them, and no further than to the begin of the operator after the
/// run. So frames nest in their outer frames and never cross; what would be of length 0 is left out.
/// Source of the rule: core/analysis/FORMULAS.md section G.
///
/// @param input   Gets a track for each such thread; its call stacks are forgotten.
/// @param slices  Gets the frames, with names and positions: positions number them by thread, begin and depth.
/// More than kMaxStackSlices frames, or as many as there are slices in the trace if these are more, are not made: the
/// innermost depths are left out until the others fit. Adds "stack.too_many" and "stack.cut" (info) to `diagnostics`.
/// Parallel on the arena. O(operators * (log + depth)). Cancelled, nothing is to be used.
void addStackSlices(SealInput& input, Segment::Slices& slices, const SourceNames& names, Diagnostics& diagnostics,
                    const CancelToken& cancel);

inline constexpr std::size_t kMaxStackSlices = std::size_t{1} << 20;

}  // namespace altiscope
