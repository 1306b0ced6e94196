#pragma once

#include <cstdint>

namespace altiscope {

/// Estimated cost of reading traces; shown before anything big is read. Measured: one store takes a seventh of its
/// trace, a core reads 280 MB/s (newer figures: resources/help/performance.md); a slow disk may take longer.
struct LoadEstimate {
    double seconds = 0;
    std::uint64_t memory = 0;  ///< Bytes that stay in use.
};
/// @param bytes  Of trace files.
/// @param share  Part of their time that is kept, 0 to 1. All of the files is read in any case.
LoadEstimate estimateReading(std::uint64_t bytes, double share = 1);

/// Bytes of memory that stores may take without asking: a quarter of the machine's.
std::uint64_t memoryUnasked();

/// Limits the memory that mapped ranks take in this process (setResidentLimit()). @param bytes  0: memoryUnasked().
void limitMemory(std::uint64_t bytes);

/// Bytes of traces that a capture may have for being read without asking: what takes some seconds, and
/// memoryUnasked() at most. Of a bigger capture the first ranks are read.
std::uint64_t autoLoadLimit();
/// The same, where reading may take so much memory at most, in bytes; 0: as above.
std::uint64_t autoLoadLimit(std::uint64_t memory);

}  // namespace altiscope
