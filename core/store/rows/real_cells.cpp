#include "core/store/rows/real_cells.h"

#include "core/store/rows/row_table.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <iterator>
#include <optional>

namespace altiscope {

namespace {

constexpr double kExactIntegers = 9007199254740992.0;  // 2^53
constexpr double kPowers[] = {1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9};
constexpr std::int64_t kFactors[] = {1,       10,        100,        1000,        10'000,
                                     100'000, 1'000'000, 10'000'000, 100'000'000, 1'000'000'000};

/// The integer whose quotient by 10^scale is exactly `value`.
std::optional<std::int64_t> scaled(double value, std::uint8_t scale) {
    const double product = value * kPowers[scale];
    if (!(std::abs(product) < kExactIntegers)) return std::nullopt;
    const auto whole = static_cast<std::int64_t>(product < 0 ? product - 0.5 : product + 0.5);
    // Both operands are exact, so the quotient is the double that the decimal text stands for.
    if (static_cast<double>(whole) / kPowers[scale] != value) return std::nullopt;
    return whole;
}

/// Finds the decimal forms of doubles; false if one has none.
bool findDecimals(std::span<std::int64_t> cells, std::span<std::uint8_t> scales) {
    std::uint8_t likely = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (scales[i] != RowBlock::kRawReal || cells[i] == kNoCell) continue;
        const auto value = std::bit_cast<double>(cells[i]);
        auto whole = scaled(value, likely);
        std::uint8_t scale = likely;
        if (!whole) {
            for (scale = 0; scale <= RowBlock::kMaxScale && !whole; ++scale) whole = scaled(value, scale);
            if (!whole) return false;
            likely = --scale;
        }
        cells[i] = *whole;
        scales[i] = scale;
    }
    return true;
}

std::uint8_t maxScale(std::span<const std::int64_t> cells, std::span<const std::uint8_t> scales) {
    std::uint8_t max = 0;
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] != kNoCell) max = std::max(max, scales[i]);
    }
    return max;
}

/// Whether all cells stay integers that a double can tell from their neighbours.
bool fitsScale(std::span<const std::int64_t> cells, std::span<const std::uint8_t> scales, std::uint8_t scale) {
    std::int64_t limits[std::size(kFactors)];
    for (std::uint8_t s = 0; s <= scale; ++s)
        limits[s] = static_cast<std::int64_t>(kExactIntegers) / kFactors[scale - s];
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == kNoCell) continue;
        const std::int64_t limit = limits[scales[i]];
        if (cells[i] >= limit || cells[i] <= -limit) return false;
    }
    return true;
}

void dropZeros(std::span<std::int64_t> cells, std::span<std::uint8_t> scales) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] == kNoCell) continue;
        for (; scales[i] > 0 && cells[i] % 10 == 0; --scales[i]) cells[i] /= 10;
    }
}

/// The scale without those powers of ten that all cells have.
std::uint8_t minScale(std::span<std::int64_t> cells, std::uint8_t scale) {
    for (; scale > 0; --scale) {
        if (std::any_of(cells.begin(), cells.end(),
                        [](std::int64_t cell) { return cell != kNoCell && cell % 10 != 0; }))
            break;
        for (std::int64_t& cell : cells) {
            if (cell != kNoCell) cell /= 10;
        }
    }
    return scale;
}

std::uint8_t toBits(std::span<std::int64_t> cells, std::span<const std::uint8_t> scales) {
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] != kNoCell && scales[i] != RowBlock::kRawReal)
            cells[i] = std::bit_cast<std::int64_t>(static_cast<double>(cells[i]) / kPowers[scales[i]]);
    }
    return RowBlock::kRawReal;
}

}  // namespace

double powerOfTen(std::uint8_t scale) { return kPowers[scale]; }

std::uint8_t scaleReals(std::span<std::int64_t> cells, std::span<std::uint8_t> scales) {
    if (!findDecimals(cells, scales)) return toBits(cells, scales);
    std::uint8_t scale = maxScale(cells, scales);
    if (!fitsScale(cells, scales, scale)) {
        // "1.500" needs less than it has.
        dropZeros(cells, scales);
        scale = maxScale(cells, scales);
        if (!fitsScale(cells, scales, scale)) return toBits(cells, scales);
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        if (cells[i] != kNoCell) cells[i] *= kFactors[scale - scales[i]];
    }
    return minScale(cells, scale);
}

}  // namespace altiscope
