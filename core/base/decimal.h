#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// The integer nearest to a decimal text (optional sign, digits, optional fraction, optional exponent; nothing else) times
/// `factor`; exact halves go up. Never goes through a double. Significant digits beyond the nineteenth are ignored.
/// @param factor  1 to 10^12.
/// @return nullopt if the text is no such number, or the result lies outside +-2^62.
std::optional<std::int64_t> parseScaled(std::string_view text, std::int64_t factor);

/// The double nearest to a decimal text times 10^shift.
/// @param shift  -12 to 12.
/// @return nullopt if the text is no decimal number ("nan" and "inf" are none), or it is too large for a double.
std::optional<double> parseReal(std::string_view text, int shift = 0);

}  // namespace altiscope
