#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// How much a quantity changed, per step. Values are rounded to whole units, `change` is current - base of these.
struct Change {
    std::int64_t base = 0, current = 0, change = 0;
    /// 95 % interval of the change by the noise of the steps; nullopt where one side has a single step, or the quantity
    /// has no value per step.
    std::optional<std::int64_t> low, high;
    bool significant = false;  ///< More than noise, with regard to how many differences were looked at.
    bool isPaired = false;     ///< The interval is of the differences of equal steps.

    /// Whether the interval holds no 0: more than the change's own noise, which of many differences some are by chance.
    bool isBeyondNoise() const { return low && high && (*low > 0 || *high < 0); }
};

/// "yes", "follows" (from another difference, so not by itself), "perhaps" (beyond its own noise, as some of many
/// differences are by chance), "no"; empty where nothing is known about noise.
std::string_view significanceWord(const Change& change, bool follows);

/// The change between two values, without an interval: the difference that all pages show. Saturates.
Change changeBetween(double base, double current);

/// The change without its sign; the smallest integer, which has no positive counterpart, saturates.
std::int64_t sizeOf(const Change& change);

/// change / base; nullopt where the base has none of it.
std::optional<double> shareOf(const Change& change);

}  // namespace altiscope
