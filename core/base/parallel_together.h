#pragma once

#include "core/base/parallel.h"

namespace altiscope {

/// parallelFor for a few large bodies with loops of their own: a thread that waits in one of them, or for their end,
/// takes part in the loops of the others, too.
/// @param body  Must not throw. Must not keep a lock over a loop: the thread that has it may meet it again.
void parallelTogether(std::size_t count, const std::function<void(std::size_t)>& body);

}  // namespace altiscope
