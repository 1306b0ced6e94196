#include "core/analysis/support/straight_line.h"

#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <iterator>
#include <utility>

namespace altiscope {

namespace {

/// What 95 % of values lie within, in standard errors, by degrees of freedom (Student).
double studentFactor(std::size_t freedom) {
    constexpr double kFactors[] = {12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228};
    constexpr double kOfMany = 1.96, kCorrection = 2.4;  // from there on 1.96 + 2.4 / freedom is within a hundredth
    if (freedom == 0) return 0;
    if (freedom <= std::size(kFactors)) return kFactors[freedom - 1];
    return kOfMany + kCorrection / static_cast<double>(freedom);
}

}  // namespace

StraightLine lineThrough(std::span<const std::pair<double, double>> points) {
    const auto n = static_cast<double>(points.size());
    double meanX = 0, meanY = 0;
    for (const auto& [x, y] : points) {
        meanX += x / n;
        meanY += y / n;
    }
    double xx = 0, xy = 0, yy = 0;
    for (const auto& [px, py] : points) {
        const double x = px - meanX, y = py - meanY;
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    if (!(xx > 0 && yy > 0)) return {};
    const double rest = std::max(0.0, yy - xy * xy / xx);
    const std::size_t freedom = points.size() < 3 ? 0 : points.size() - 2;
    const double margin =
        freedom == 0 ? 0 : studentFactor(freedom) * std::sqrt(rest / static_cast<double>(freedom) / xx);
    return {xy / xx, xy * xy / (xx * yy), margin};
}

StraightLine lineThrough(const std::vector<std::int64_t>& values) {
    std::vector<std::pair<double, double>> points;
    points.reserve(values.size());
    for (const std::int64_t value : values)
        points.emplace_back(static_cast<double>(points.size()), static_cast<double>(value));
    return lineThrough(points);
}

double robustSlope(const std::vector<std::int64_t>& values) {
    const std::size_t every = (values.size() + kMaxRobustValues - 1) / kMaxRobustValues;
    std::vector<double> slopes;
    for (std::size_t from = 0; from < values.size(); from += every) {
        for (std::size_t to = from + every; to < values.size(); to += every)
            slopes.push_back((static_cast<double>(values[to]) - static_cast<double>(values[from])) /
                             static_cast<double>(to - from));
    }
    return slopes.empty() ? 0 : median(std::move(slopes));
}

}  // namespace altiscope
