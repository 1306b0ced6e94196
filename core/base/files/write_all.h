#pragma once

#include <cstdint>
#include <optional>
#include <span>

namespace altiscope {

/// Writes all bytes to an open file, in as many calls as the system wants; goes on where a signal interrupts it.
/// @param offset  Of the first byte in the file; none: where the descriptor stands.
/// @return 0, or the system's number of what went wrong; then a part may be written.
int writeAll(int descriptor, std::span<const char> bytes, std::optional<std::uint64_t> offset = std::nullopt);

}  // namespace altiscope
