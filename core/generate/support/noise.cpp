#include "core/generate/support/noise.h"

#include <algorithm>

namespace altiscope::generate {

std::uint64_t mixedKey(std::initializer_list<std::uint64_t> parts) {
    std::uint64_t key = 0x243F6A8885A308D3ULL;
    for (const std::uint64_t part : parts) key = Noise(key ^ (part * 0xD6E8FEB86659FD93ULL)).next();
    return key;
}

std::int64_t Noise::kernelTime(std::int64_t typical) {
    // exp(x) for |x| <= 0.11 by its series, in units of 2^-30: the error is below 1e-5.
    constexpr std::int64_t kOne = std::int64_t{1} << 30;
    const std::int64_t x = normal() * (kOne / 65536) * 3 / 100;
    const std::int64_t square = x * x / kOne;
    const std::int64_t factor = kOne + x + square / 2 + square * x / kOne / 6;
    return std::max<std::int64_t>(typical * (factor >> 14) / 65536, 1);
}

}  // namespace altiscope::generate
