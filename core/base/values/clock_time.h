#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include <time.h>

namespace altiscope {

/// Point in time of a time of the system's, as `struct stat` states them.
std::chrono::system_clock::time_point timePointOf(const struct timespec& time);

/// "2025-01-09T07:48:03Z": the second in which a point in time lies; towards 1970 where it lies before.
std::string utcText(std::chrono::system_clock::time_point time);
/// @param sinceEpochNs  ns since 1970.
std::string utcText(std::int64_t sinceEpochNs);

}  // namespace altiscope
