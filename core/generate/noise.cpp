#include "core/generate/noise.h"

#include <algorithm>

namespace altiscope::generate {

std::uint64_t mixedKey(std::initializer_list<std::uint64_t> parts) {
    std::uint64_t key = 0x243F6A8885A308D3ULL;
    for (const std::uint64_t part : parts) key = Noise(key ^ (part * 0xD6E8FEB86659FD93ULL)).next();
    return key;
}

std::int64_t Noise::normal() {
    const std::uint64_t bits = next();
    const auto sum =
        static_cast<std::int64_t>((bits & 0xFFFF) + ((bits >> 16) & 0xFFFF) + ((bits >> 32) & 0xFFFF) + (bits >> 48));
    // The sum of four uniforms over 0..65535 has the mean 131070 and the deviation 37837.
    return (sum - 131070) * 65536 / 37837;
}

std::int64_t Noise::kernelTime(std::int64_t typical) {
    // exp(x) for |x| <= 0.11 by its series, in units of 2^-30: the error is below 1e-5.
    constexpr std::int64_t kOne = std::int64_t{1} << 30;
    const std::int64_t x = normal() * (kOne / 65536) * 3 / 100;
    const std::int64_t square = x * x / kOne;
    const std::int64_t factor = kOne + x + square / 2 + square * x / kOne / 6;
    return std::max<std::int64_t>(typical * (factor >> 14) / 65536, 1);
}

std::int64_t Noise::hostTime(std::int64_t typical) {
    const std::int64_t factor = std::clamp<std::int64_t>(65536 + normal() / 10, 39322, 91750);
    return typical * factor / 65536;
}

}  // namespace altiscope::generate
