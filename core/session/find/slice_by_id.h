#pragma once

#include "core/analysis/slices/slice_details.h"

#include <optional>

namespace altiscope {

/// The slice with this id, wherever in the capture it is. Ids are unique in a capture, so only its rank is open.
/// Any thread; usually microseconds, at worst one pass over the positions of all slices.
std::optional<SliceKey> findSliceInAnyRank(const CaptureStore& capture, SliceId slice);

}  // namespace altiscope
