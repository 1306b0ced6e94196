#include "core/base/text/amount_text.h"

#include <array>
#include <cmath>
#include <cstddef>
#include <cstdio>
#include <span>

namespace altiscope {

namespace {

struct Scale {
    double size;
    std::string_view unit;
};

/// The first one's values are whole numbers.
constexpr Scale kTimes[] = {{1, "ns"}, {1e3, "µs"}, {1e6, "ms"}, {1e9, "s"}, {60e9, "min"}, {3600e9, "h"}};
constexpr Scale kBytes[] = {{1, "B"},        {0x1p10, "KiB"}, {0x1p20, "MiB"},
                            {0x1p30, "GiB"}, {0x1p40, "TiB"}, {0x1p50, "PiB"}};
constexpr Scale kTransfers[] = {{1, "B"}, {1e3, "kB"}, {1e6, "MB"}, {1e9, "GB"}, {1e12, "TB"}, {1e15, "PB"}};

/// Up to ten minutes seconds read better.
double firstOf(const Scale& scale) { return scale.unit == "min" ? 10 * scale.size : scale.size; }

Scale scaleOf(double value, std::span<const Scale> scales) {
    std::size_t chosen = 0;
    // 999.96 of the smaller unit would read "1000.0"; of the first one there are only whole ones.
    for (std::size_t next = 1; next < scales.size(); ++next) {
        const double tenth = chosen == 0 ? 0 : scales[chosen].size / 20;
        if (std::abs(value) >= firstOf(scales[next]) - tenth) chosen = next;
    }
    return scales[chosen];
}

std::string scaled(std::int64_t amount, std::span<const Scale> scales) {
    const Scale scale = scaleOf(static_cast<double>(amount), scales);
    const std::string number =
        scale.size == 1 ? std::to_string(amount) : oneDecimal(static_cast<double>(amount) / scale.size);
    return number + ' ' + std::string(scale.unit);
}

}  // namespace

std::string oneDecimal(double value) {
    std::array<char, 512> text{};  // the longest double has 309 digits
    std::snprintf(text.data(), text.size(), "%.1f", value);
    return text.data();
}

TimeScale timeScaleOf(std::int64_t ns) {
    const Scale scale = scaleOf(static_cast<double>(ns), kTimes);
    return {scale.size, scale.unit};
}

std::string timeText(std::int64_t ns) { return scaled(ns, kTimes); }

std::string bytesText(std::int64_t bytes) { return scaled(bytes, kBytes); }

std::string transferText(std::int64_t bytes) { return scaled(bytes, kTransfers); }

std::string bandwidthText(double bytesPerNs) { return oneDecimal(bytesPerNs) + " GB/s"; }

std::string shareText(double share) { return oneDecimal(share * 100) + " %"; }

}  // namespace altiscope
