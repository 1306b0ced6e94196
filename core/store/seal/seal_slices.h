#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/store/columns/trace_store.h"
#include "core/store/seal/seal.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

struct WindowSeal;

/// Slices out of the B and E ends of all segments: per track, ordered by time and position, an E closes the last open B
/// of its name, or the last open B if it has no name or none of them has it.
/// A B that nothing closes lasts to the end of its track ("unmatched_begin"); an E that closes nothing is
/// "unmatched_end".
Segment::Slices pairOpenEnds(const SealInput& input, const SourceNames& names, Diagnostics& diagnostics,
                             const CancelToken& cancel);

/// Sorts the slices of all segments (and `extra`) into columns by (track, depth, begin) and fills everything that leads
/// to them:
/// runs, extents, parents, self times, positions, blocks and name statistics. Takes the slices out of input.segments
/// where nobody else holds them. Parallel over segments and tracks.
/// @param window  Where only a window is kept, what was made for it; flows are attached to slices then. Else null.
void sealSlices(SealInput& input, Segment::Slices extra, const std::vector<std::uint32_t>& trackIndexOf,
                TraceColumns& columns, WindowSeal* window, const CancelToken& cancel);

}  // namespace altiscope
