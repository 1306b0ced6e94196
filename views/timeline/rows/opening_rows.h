#pragma once

#include "views/timeline/rows/row_layout.h"

namespace altiscope {

/// Up to so many ranks may start expanded, if what tells most about them fits.
inline constexpr std::size_t kUnfoldedRanks = 8;

/// State of rows on a canvas of this height until the user expands or sizes some of them: the height is used, and
/// what tells most about each rank (see keyLanes) is in sight with its names. Up to kUnfoldedRanks are expanded as far
/// as that fits: processes with key lanes first, what is left for the others; a process that does not fit is a row as
/// high as its key lanes. Ranks for which that is too little room, and all of more, are such rows themselves, with the
/// strips of a collapsed row below the lanes where all ranks fit; of too many each has two lanes. Lanes grow where few
/// rows are all there is. Pinned rows are not looked at.
/// @param style  Its `opening` and what the user has changed count as empty, but for what is filtered.
/// @param room   Pixels; 0: not known, and nothing is said of any row.
/// Pure; O(nodes), and for the ranks that may be expanded O(names on their tracks).
OpeningRows openingRows(const TrackTree& tree, const RowStyle& style, int room);

}  // namespace altiscope
