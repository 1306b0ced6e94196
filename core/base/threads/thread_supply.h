#pragma once

namespace altiscope {

/// How many threads, at most `wanted`, the system lets the program make beside those that it has: limits on processes,
/// on memory, or those of a container are met by trying. Tried once for each number; later results are the same, as
/// threads that are made are kept. Any thread; some 20 us a thread, the first time.
unsigned availableThreads(unsigned wanted);

}  // namespace altiscope
