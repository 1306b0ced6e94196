#include "views/common/plots/plot_data.h"

#include "views/common/support/formatters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace altiscope {

QString plotValueText(CellUnit unit, double value) {
    const auto whole = [value] { return static_cast<std::int64_t>(std::llround(std::clamp(value, -9.2e18, 9.2e18))); };
    switch (unit) {
    case CellUnit::Duration:
    case CellUnit::Time: return formatDuration({whole()});
    case CellUnit::Bytes:
        return (value < 0 ? QStringLiteral("-") : QString()) +
               formatBytes(static_cast<std::uint64_t>(std::clamp(std::abs(value), 0.0, 1.8e19)));
    case CellUnit::Rate: return formatRate(value);
    case CellUnit::Share: return formatPercent(value);
    case CellUnit::Count:
    case CellUnit::Address:
    case CellUnit::None: return formatNumber(value);
    }
    return {};
}

QString exactPlotValueText(CellUnit unit, double value) {
    const bool isWhole = std::abs(value) < 9e15 && value == std::floor(value);
    if (isWhole && (unit == CellUnit::Duration || unit == CellUnit::Time))
        return formatExactNs({static_cast<std::int64_t>(value)});
    if (isWhole && value >= 0 && unit == CellUnit::Bytes) return formatExactBytes(static_cast<std::uint64_t>(value));
    if (isWhole && value >= 0 && (unit == CellUnit::Count || unit == CellUnit::None))
        return formatCount(static_cast<std::uint64_t>(value));
    return plotValueText(unit, value);
}

std::vector<std::pair<std::size_t, std::size_t>> foldedRanges(std::size_t first, std::size_t last, std::size_t most) {
    std::vector<std::pair<std::size_t, std::size_t>> folds;
    const std::size_t together = most == 0 || last <= first ? 1 : (last - first + most - 1) / most;
    // Borders do not depend on the window, so that bars keep their content while it moves.
    for (std::size_t begin = first - first % together; begin < last; begin += together)
        folds.emplace_back(begin, begin + together);
    return folds;
}

std::int64_t Histogram::edge(std::size_t interval) const {
    // Intervals may reach from the smallest integer to the largest: twice what one with a sign counts.
    const auto max = static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max());
    std::uint64_t above = 0;
    if (__builtin_mul_overflow(std::uint64_t{interval}, static_cast<std::uint64_t>(width), &above) ||
        above > max - static_cast<std::uint64_t>(first))
        return std::numeric_limits<std::int64_t>::max();
    return static_cast<std::int64_t>(static_cast<std::uint64_t>(first) + above);
}

std::uint64_t Histogram::count(std::size_t begin, std::size_t end) const {
    const auto from = counts.begin() + static_cast<std::ptrdiff_t>(std::min(begin, counts.size()));
    const auto to = counts.begin() + static_cast<std::ptrdiff_t>(std::min(std::max(begin, end), counts.size()));
    return std::accumulate(from, to, std::uint64_t{0});
}

Histogram histogramOf(const std::vector<std::int64_t>& values) {
    Histogram histogram;
    if (values.empty()) return histogram;
    const auto [min, max] = std::minmax_element(values.begin(), values.end());
    // Without a sign: hostile files hold values that lie further apart than an integer with one counts.
    const auto above = [low = static_cast<std::uint64_t>(*min)](std::int64_t value) {
        return static_cast<std::uint64_t>(value) - low;
    };
    const std::uint64_t width = above(*max) / Histogram::kMaxIntervals + 1;
    histogram.first = *min;
    histogram.width = static_cast<std::int64_t>(width);
    histogram.counts.resize(above(*max) / width + 1);
    for (const std::int64_t value : values) ++histogram.counts[above(value) / width];
    return histogram;
}

BoxValues boxOf(std::vector<std::int64_t> values) {
    BoxValues box;
    if (values.empty()) return box;
    // Millions need not be sorted for five of them: after a quartile stand only values that are not less.
    auto first = values.begin();
    const auto quantile = [&](double share) {
        const double place = share * static_cast<double>(values.size() - 1), below = std::floor(place);
        const auto at = values.begin() + static_cast<std::ptrdiff_t>(below);
        std::nth_element(first, at, values.end());
        first = at;
        const auto value = static_cast<double>(*at);
        if (at + 1 == values.end() || place == below) return value;
        return value + (place - below) * (static_cast<double>(*std::min_element(at + 1, values.end())) - value);
    };
    box.count = values.size();
    box.min = static_cast<double>(*std::min_element(values.begin(), values.end()));
    box.lowerQuartile = quantile(0.25);
    box.median = quantile(0.5);
    box.upperQuartile = quantile(0.75);
    box.max = static_cast<double>(*std::max_element(first, values.end()));
    return box;
}

std::size_t BoxPlot::shownOf(std::size_t begin, std::size_t end) const {
    const auto from = boxes.begin() + static_cast<std::ptrdiff_t>(begin),
               to = boxes.begin() + static_cast<std::ptrdiff_t>(std::min(end, boxes.size()));
    return static_cast<std::size_t>(
        std::max_element(from, to, [](const BoxValues& a, const BoxValues& b) { return a.median < b.median; }) -
        boxes.begin());
}

}  // namespace altiscope
