#include "core/analysis/steps/level_changes.h"

#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace altiscope {

namespace {

/// The standard deviation of normal values is so many times the median of their distances from the middle.
constexpr double kDeviationOfMedian = 1.4826;

struct Level {
    std::size_t first, end;
    double level;
};

std::vector<double> runningMedians(std::span<const double> times) {
    std::vector<double> medians;
    for (std::size_t i = 0; i < times.size(); ++i) {
        const std::size_t first = std::min(i == 0 ? 0 : i - 1, times.size() - 3);
        medians.push_back(median({times[first], times[first + 1], times[first + 2]}));
    }
    return medians;
}

/// The cut into levels whose squared distances, and a penalty for each of them, are least. What comes before the first
/// change and after the last one may be shorter than a level: the recording cuts it off.
std::vector<Level> cutIntoLevels(const std::vector<double>& values, double penalty) {
    const std::size_t n = values.size();
    // About the first value, so that squares of large times keep their digits.
    std::vector<double> sums(n + 1), squares(n + 1);
    for (std::size_t i = 0; i < n; ++i) {
        const double value = values[i] - values[0];
        sums[i + 1] = sums[i] + value;
        squares[i + 1] = squares[i] + value * value;
    }
    std::vector<double> costs(n + 1, std::numeric_limits<double>::infinity());
    std::vector<std::size_t> begin(n + 1, 0);
    costs[0] = -penalty;
    for (std::size_t end = 1; end <= n; ++end) {
        for (std::size_t first = 0; first < end; ++first) {
            const bool isCut = first == 0 || end == n;
            if (std::isinf(costs[first]) || (!isCut && end - first < kShortestLevel)) continue;
            const double sum = sums[end] - sums[first];
            const double cost = squares[end] - squares[first] - sum * sum / static_cast<double>(end - first);
            if (costs[first] + cost + penalty >= costs[end]) continue;
            costs[end] = costs[first] + cost + penalty;
            begin[end] = first;
        }
    }
    std::vector<Level> levels;
    for (std::size_t end = n; end > 0; end = begin[end]) levels.push_back({begin[end], end, 0});
    std::reverse(levels.begin(), levels.end());
    return levels;
}

double medianOf(std::span<const double> values) { return median({values.begin(), values.end()}); }

/// How often a window of `length` places that are drawn from n holds `found` of `marked` ones or more.
double chanceOf(std::size_t n, std::size_t marked, std::size_t length, std::size_t found) {
    const auto logChoose = [](std::size_t of, std::size_t count) {
        return std::lgamma(static_cast<double>(of) + 1) - std::lgamma(static_cast<double>(count) + 1) -
               std::lgamma(static_cast<double>(of - count) + 1);
    };
    double chance = 0;
    for (std::size_t i = found; i <= std::min(marked, length); ++i) {
        if (length - i > n - marked) continue;
        chance += std::exp(logChoose(marked, i) + logChoose(n - marked, length - i) - logChoose(n, length));
    }
    return chance;
}

/// Whether most of a level's times are long, and as many of the long ones among them and the usual ones would hardly
/// stand together by chance.
bool standsOut(std::span<const double> times, const SlowStretch& stretch, const LevelChanges& changes) {
    constexpr double kHardly = 0.01;
    const double middle = (stretch.level + changes.usual) / 2;
    const auto isLong = [middle](double time) { return time > middle; };
    const std::span<const double> inside = times.subspan(stretch.first, stretch.end - stretch.first);
    const auto found = static_cast<std::size_t>(std::count_if(inside.begin(), inside.end(), isLong));
    std::size_t all = found, count = inside.size();
    for (std::size_t i = 0; i < times.size(); ++i) {
        if (!changes.isUsual[i]) continue;
        ++count;
        all += isLong(times[i]) ? 1 : 0;
    }
    if (4 * found < 3 * inside.size()) return false;
    if (all == found) return true;
    const auto windows = static_cast<double>(count - inside.size() + 1);
    return windows * chanceOf(count, all, inside.size(), found) < kHardly;
}

/// Where a slow stretch is interrupted by two times or more of the usual level, which are too few for a level, and too
/// many for noise. What is left on each side must be long enough to hold one.
std::vector<SlowStretch> splitAtPauses(std::span<const double> times, const SlowStretch& whole, double highestUsual,
                                       std::vector<bool>& isUsual) {
    constexpr std::size_t kPause = 2;
    std::vector<SlowStretch> parts{whole};
    for (std::size_t i = whole.first; i < whole.end;) {
        std::size_t end = i;
        while (end < whole.end && times[end] <= highestUsual) ++end;
        if (end - i >= kPause && i - parts.back().first >= kShortestLevel && whole.end - end >= kShortestLevel) {
            parts.back().end = i;
            parts.push_back({end, whole.end, 0});
            for (std::size_t pause = i; pause < end; ++pause) isUsual[pause] = true;
        }
        i = std::max(end, i + 1);
    }
    return parts;
}

LevelChanges changesOf(std::span<const double> times, double z, double share) {
    const std::size_t n = times.size();
    LevelChanges changes;
    changes.isUsual.assign(n, true);
    if (n == 0) return changes;
    changes.usual = medianOf(times);
    if (n < 2 * kShortestLevel) return changes;
    std::vector<double> distances;
    for (std::size_t i = 1; i < n; ++i) distances.push_back(std::abs(times[i] - times[i - 1]));
    // A difference of two has the noise of both.
    changes.noise = kDeviationOfMedian * median(std::move(distances)) / std::sqrt(2.0);
    const double penalty = 2 * changes.noise * changes.noise * std::log(static_cast<double>(n));
    std::vector<Level> levels = cutIntoLevels(runningMedians(times), penalty);
    double lowest = std::numeric_limits<double>::infinity();
    std::vector<double> residuals;
    for (Level& level : levels) {
        level.level = medianOf(times.subspan(level.first, level.end - level.first));
        if (level.end - level.first >= kShortestLevel) lowest = std::min(lowest, level.level);
        for (std::size_t i = level.first; i < level.end; ++i) residuals.push_back(std::abs(times[i] - level.level));
    }
    changes.noise = std::max(changes.noise, kDeviationOfMedian * median(std::move(residuals)));
    std::vector<double> usual;
    changes.isUsual.assign(n, false);
    const double reach = std::max(z * changes.noise, share * lowest);
    for (const Level& level : levels) {
        if (level.level - lowest > reach) continue;
        for (std::size_t i = level.first; i < level.end; ++i) {
            changes.isUsual[i] = true;
            usual.push_back(times[i]);
        }
    }
    changes.usual = median(std::move(usual));
    std::vector<SlowStretch> joined, slow;
    for (const Level& level : levels) {
        if (changes.isUsual[level.first]) continue;
        if (!joined.empty() && joined.back().end == level.first) joined.back().end = level.end;
        else joined.push_back({level.first, level.end, 0});
    }
    for (const SlowStretch& stretch : joined) {
        for (const SlowStretch& part : splitAtPauses(times, stretch, changes.usual + reach, changes.isUsual))
            slow.push_back(part);
    }
    for (SlowStretch& stretch : slow) {
        stretch.level = medianOf(times.subspan(stretch.first, stretch.end - stretch.first));
        // Medians of three move the ends by one at most.
        const auto isLong = [&](std::size_t i) { return times[i] > (stretch.level + changes.usual) / 2; };
        while (stretch.first < stretch.end && !isLong(stretch.first)) ++stretch.first;
        while (stretch.first < stretch.end && !isLong(stretch.end - 1)) --stretch.end;
        // One that stands at the end of a usual level for want of room belongs here.
        if (stretch.first > 0 && changes.isUsual[stretch.first - 1] && isLong(stretch.first - 1))
            changes.isUsual[--stretch.first] = false;
        if (stretch.end < n && changes.isUsual[stretch.end] && isLong(stretch.end))
            changes.isUsual[stretch.end++] = false;
        if (stretch.end - stretch.first < kShortestLevel) continue;
        if (standsOut(times, stretch, changes)) changes.stretches.push_back(stretch);
    }
    return changes;
}

}  // namespace

LevelChanges levelChanges(std::span<const double> times, double z, double share) {
    constexpr std::size_t kMost = 2048;
    const std::size_t together = (times.size() + kMost - 1) / kMost;
    if (together <= 1) return changesOf(times, z, share);
    std::vector<double> medians;
    for (std::size_t i = 0; i < times.size(); i += together)
        medians.push_back(medianOf(times.subspan(i, std::min(together, times.size() - i))));
    LevelChanges changes = changesOf(medians, z, share);
    std::vector<bool> isUsual;
    for (std::size_t i = 0; i < times.size(); ++i) isUsual.push_back(changes.isUsual[i / together]);
    changes.isUsual = std::move(isUsual);
    for (SlowStretch& stretch : changes.stretches) {
        stretch.first *= together;
        stretch.end = std::min(stretch.end * together, times.size());
    }
    return changes;
}

}  // namespace altiscope
