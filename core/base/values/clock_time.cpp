#include "core/base/values/clock_time.h"

#include <array>

namespace altiscope {

namespace {

std::string textOfSecond(std::time_t second) {
    std::tm parts{};
    ::gmtime_r(&second, &parts);
    std::array<char, 64> text{};
    return {text.data(), std::strftime(text.data(), text.size(), "%Y-%m-%dT%H:%M:%SZ", &parts)};
}

}  // namespace

std::chrono::system_clock::time_point timePointOf(const struct timespec& time) {
    const auto sinceEpoch = std::chrono::seconds(time.tv_sec) + std::chrono::nanoseconds(time.tv_nsec);
    return std::chrono::system_clock::time_point(
        std::chrono::duration_cast<std::chrono::system_clock::duration>(sinceEpoch));
}

std::string utcText(std::chrono::system_clock::time_point time) {
    return textOfSecond(std::chrono::system_clock::to_time_t(time));
}

std::string utcText(std::int64_t sinceEpochNs) {
    return textOfSecond(static_cast<std::time_t>(sinceEpochNs / 1'000'000'000));
}

}  // namespace altiscope
