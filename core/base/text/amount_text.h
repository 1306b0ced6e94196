#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope {

// Amounts in sentences and in tables of reports: one decimal, in the largest unit of which there is at least one, the
// same in all languages. The window's tables choose units by the same rule (views/common/support/formatters.h), with
// three significant digits.

/// The unit that a time reads best in: "µs" of 12,345 ns.
struct TimeScale {
    double ns;  ///< Length of one unit.
    std::string_view unit;
};
TimeScale timeScaleOf(std::int64_t ns);
/// "12.3".
std::string oneDecimal(double value);

/// "840 ns", "1.2 µs", "12.3 ms", "599.0 s", "12.5 min" (from ten on), "3.2 h".
std::string timeText(std::int64_t ns);
/// By powers of 2: "840 B", "8.0 MiB".
std::string bytesText(std::int64_t bytes);
/// By powers of ten, as files of communication count: "840 B", "8.0 MB".
std::string transferText(std::int64_t bytes);
/// "18.0 GB/s", 10^9 bytes per second.
std::string bandwidthText(double bytesPerNs);
/// "25.0 %" of 0.25.
std::string shareText(double share);

}  // namespace altiscope
