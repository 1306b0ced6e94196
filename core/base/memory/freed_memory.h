#pragma once

namespace altiscope {

/// Gives memory that was freed in many small pieces back to the system; the C library would keep it for later pieces of
/// that size. For those who free much and go on to allocate large blocks. Any thread. Some milliseconds.
void releaseFreedMemory();

}  // namespace altiscope
