#pragma once

#include "core/base/values/cancel.h"
#include "core/store/seal/seal.h"

namespace altiscope {

/// Gives each of several processes that had one pid one after the other tracks of its own: systems hand out pids
/// again, and then a source calls a process by another name from some place on. What an event belongs to decides the
/// name that held where it stands, of a B/E pair where it begins; what stands before the first name has the last one.
/// A name that comes back is the same process again. Tracks of the first name keep their numbers; others are added, and
/// say the names of their process and thread themselves.
///
/// Events that a window left out stay with the first name.
/// @note   O(events) if a process has several names, else nothing. Incomplete if cancelled.
void splitReusedPids(SealInput& input, const CancelToken& cancel);

}  // namespace altiscope
