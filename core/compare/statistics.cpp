#include "core/compare/statistics.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace altiscope {

namespace {

/// The continued fraction of the incomplete beta function (DLMF 8.17.22), from its front (Lentz).
double betaFraction(double a, double b, double x) {
    constexpr double kTiny = std::numeric_limits<double>::min() * 1e10;
    constexpr int kMaxTerms = 2000;
    const auto notZero = [](double value) { return std::abs(value) < kTiny ? kTiny : value; };
    double c = 1, d = 1 / notZero(1 - (a + b) * x / (a + 1)), fraction = d;
    for (int m = 1; m <= kMaxTerms; ++m) {
        const double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m));
        const double odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        double change = 1;
        for (const double term : {even, odd}) {
            d = 1 / notZero(1 + term * d);
            c = notZero(1 + term / c);
            change = c * d;
            fraction *= change;
        }
        if (std::abs(change - 1) < 1e-15) break;
    }
    return fraction;
}

/// I_x(a, b)
double incompleteBeta(double a, double b, double x) {
    if (x <= 0) return 0;
    if (x >= 1) return 1;
    const double front =
        std::exp(std::lgamma(a + b) - std::lgamma(a) - std::lgamma(b) + a * std::log(x) + b * std::log1p(-x));
    // The fraction converges fast below the mean of the distribution.
    if (x < (a + 1) / (a + b + 2)) return front * betaFraction(a, b, x) / a;
    return 1 - front * betaFraction(b, a, 1 - x) / b;
}

}  // namespace

double meanOf(std::span<const double> values) {
    if (values.empty()) return 0;
    return std::accumulate(values.begin(), values.end(), 0.0) / static_cast<double>(values.size());
}

double percentileOf(std::vector<double> values, double share) {
    std::sort(values.begin(), values.end());
    const double place = share * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    if (below + 1 >= values.size()) return values.back();
    return values[below] + (place - static_cast<double>(below)) * (values[below + 1] - values[below]);
}

double studentTail(double t, double degrees) { return incompleteBeta(degrees / 2, 0.5, degrees / (degrees + t * t)); }

double studentQuantile(double probability, double degrees) {
    double low = 0, high = 1;
    while (studentTail(high, degrees) > probability && high < 1e12) high *= 2;
    for (int i = 0; i < 200 && high - low > 1e-12 * high; ++i) {
        const double middle = (low + high) / 2;
        (studentTail(middle, degrees) > probability ? low : high) = middle;
    }
    return (low + high) / 2;
}

Sample sampleOf(std::span<const double> values) { return sampleOf(values, values.size()); }

Sample sampleOf(std::span<const double> values, std::size_t count) {
    Sample sample{.count = count, .mean = 0, .variance = 0};
    if (count == 0) return sample;
    const auto all = static_cast<double>(count);
    sample.mean = std::accumulate(values.begin(), values.end(), 0.0) / all;
    if (count < 2) return sample;
    double squares = sample.mean * sample.mean * static_cast<double>(count - values.size());
    for (const double value : values) squares += (value - sample.mean) * (value - sample.mean);
    sample.variance = squares / (all - 1);
    return sample;
}

namespace {

/// The interval of a change with a standard error, in which what differs in the last `digits` is neither noise nor a
/// change.
MeanDifference testedChange(double change, double error, double degrees, double digits) {
    MeanDifference result{.change = change, .low = {}, .high = {}, .probability = {}};
    if (error <= digits) {
        result.low = result.high = change;
        result.probability = std::abs(change) <= digits ? 1 : 0;
        return result;
    }
    const double reach = studentQuantile(0.05, degrees) * error;
    result.low = change - reach;
    result.high = change + reach;
    result.probability = studentTail(change / error, degrees);
    result.error = error;
    result.degrees = degrees;
    return result;
}

double lastDigitsOf(double first, double second) { return 1e-12 * std::max(std::abs(first), std::abs(second)); }

}  // namespace

MeanDifference differenceOfMeans(const Sample& first, const Sample& second) {
    const double change = second.mean - first.mean;
    if (first.count < 2 || second.count < 2) return {.change = change, .low = {}, .high = {}, .probability = {}};
    const auto firstCount = static_cast<double>(first.count), secondCount = static_cast<double>(second.count);
    const double v1 = first.variance / firstCount, v2 = second.variance / secondCount;
    const double error = std::sqrt(v1 + v2), digits = lastDigitsOf(first.mean, second.mean);
    if (error <= digits) return testedChange(change, error, 0, digits);
    // Shares of the whole, as squares of large variances would leave the range of a double.
    const double s1 = v1 / (v1 + v2), s2 = v2 / (v1 + v2);
    return testedChange(change, error, 1 / (s1 * s1 / (firstCount - 1) + s2 * s2 / (secondCount - 1)), digits);
}

MeanDifference differenceOfPairs(std::span<const double> first, std::span<const double> second) {
    std::vector<double> differences;
    differences.reserve(first.size());
    for (std::size_t i = 0; i < first.size(); ++i) differences.push_back(second[i] - first[i]);
    const Sample sample = sampleOf(differences);
    if (sample.count < 2) return {.change = sample.mean, .low = {}, .high = {}, .probability = {}};
    const auto count = static_cast<double>(sample.count);
    return testedChange(sample.mean, std::sqrt(sample.variance / count), count - 1,
                        lastDigitsOf(meanOf(first), meanOf(second)));
}

bool riseTogether(std::span<const double> first, std::span<const double> second) {
    if (first.size() < 3) return false;
    const Sample a = sampleOf(first), b = sampleOf(second);
    if (a.variance <= 0 || b.variance <= 0) return false;
    const auto degrees = static_cast<double>(first.size() - 2);
    double products = 0;
    for (std::size_t i = 0; i < first.size(); ++i) products += (first[i] - a.mean) * (second[i] - b.mean);
    const double r = products / (degrees + 1) / std::sqrt(a.variance) / std::sqrt(b.variance);
    if (r <= 0) return false;
    if (r >= 1) return true;
    return studentTail(r * std::sqrt(degrees / (1 - r * r)), degrees) / 2 < kPairedBy;
}

bool MeanDifference::isAbout(double expected, double atLeast) const {
    return error > 0 && studentTail((change - expected) / error, degrees) >= atLeast;
}

ValuesApart valuesApart(const Sample& usual, std::span<const double> values) {
    ValuesApart best;
    const auto count = static_cast<double>(usual.count);
    const std::size_t fewest = std::max<std::size_t>(2, (values.size() + 3) / 4);
    if (usual.count < kFewestUsual || usual.variance <= 0 || values.size() <= fewest) return best;
    const double reach = std::sqrt(usual.variance * (1 + 1 / count));
    std::vector<double> away;
    for (const double value : values) away.push_back((value - usual.mean) / reach);
    std::sort(away.begin(), away.end());
    for (const double direction : {1.0, -1.0}) {
        // The one of them that lies nearest says how far all do.
        const double nearest = direction * (direction > 0 ? away[away.size() - fewest] : away[fewest - 1]);
        if (nearest <= 0) continue;
        const double one = studentTail(nearest, count - 1) / 2;
        const double probability =
            std::min(1.0, 2 * one * static_cast<double>(values.size()) / static_cast<double>(fewest));
        if (probability >= best.probability) continue;
        ValuesApart found{.count = 0, .change = 0, .probability = probability};
        for (const double value : values) {
            if (direction * (value - usual.mean) < nearest * reach / 2) continue;
            ++found.count;
            found.change += value - usual.mean;
        }
        if (found.count == values.size()) continue;
        found.change /= static_cast<double>(found.count);
        best = found;
    }
    return best;
}

std::vector<bool> significantOnes(std::span<const std::optional<double>> probabilities, double rate) {
    std::vector<std::size_t> order;
    for (std::size_t i = 0; i < probabilities.size(); ++i)
        if (probabilities[i]) order.push_back(i);
    std::sort(order.begin(), order.end(),
              [&](std::size_t a, std::size_t b) { return *probabilities[a] < *probabilities[b]; });
    std::size_t last = 0;
    for (std::size_t i = 0; i < order.size(); ++i) {
        const double limit = static_cast<double>(i + 1) / static_cast<double>(order.size()) * rate;
        if (*probabilities[order[i]] <= limit) last = i + 1;
    }
    std::vector<bool> significant(probabilities.size(), false);
    for (std::size_t i = 0; i < last; ++i) significant[order[i]] = true;
    return significant;
}

}  // namespace altiscope
