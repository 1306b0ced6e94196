#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <vector>

namespace altiscope {

/// Mean of some values; 0 of none.
double meanOf(std::span<const double> values);

/// The value below which `share` (0 to 1) of the values lie, linear between two neighbours in order, as the SQL
/// function percentile(). @pre values is not empty.
double percentileOf(std::vector<double> values, double share);

/// Numbers of a sample that the test below needs.
struct Sample {
    std::size_t count = 0;
    double mean = 0, variance = 0;  ///< Variance divided by count - 1; 0 of fewer than two values.
};
Sample sampleOf(std::span<const double> values);
/// As above of `values` and as many zeros as make `count` values. @pre count >= values.size()
Sample sampleOf(std::span<const double> values, std::size_t count);

/// How far the means of two samples are apart.
struct MeanDifference {
    double change = 0;  ///< Mean of the second - mean of the first.
    /// 95 % interval of the change, and how probable a change as large as this is without any cause; nullopt where one
    /// sample has fewer than two values, as nothing is known about its noise then.
    std::optional<double> low, high, probability;
    double error = 0, degrees = 0;  ///< Standard error of the change on these degrees of freedom; 0: no noise is known.

    /// Whether the change can be `expected` and noise: a change as far from it has at least this probability.
    bool isAbout(double expected, double atLeast) const;
};

/// Welch's t test: t = change / sqrt(s1^2 / n1 + s2^2 / n2) with s the standard deviations of the samples, on the
/// degrees of freedom of Welch and Satterthwaite, (v1 + v2)^2 / (v1^2 / (n1 - 1) + v2^2 / (n2 - 1)) with v = s^2 / n;
/// the interval is change +- t(97.5 %) * sqrt(v1 + v2). Without any noise on either side the interval is the change
/// itself, and its probability 1 if it is 0, else 0.
/// Source: B. L. Welch, The generalization of Student's problem when several different population variances are
/// involved, Biometrika 34 (1947). @pre Finite values.
MeanDifference differenceOfMeans(const Sample& first, const Sample& second);

/// The t test of pairs (Student): as above of the differences within each pair against 0, on n - 1 degrees of freedom.
/// What both values of a pair share, such as a short first step, is no noise.
/// @pre As many finite values on both sides, in the order of the pairs; fewer than two have no interval.
MeanDifference differenceOfPairs(std::span<const double> first, std::span<const double> second);

/// Whether the values of pairs rise and fall together by more than chance: their correlation r has a probability
/// below kPairedBy, t = r * sqrt((n - 2) / (1 - r^2)) on n - 2 degrees of freedom, to one side. Choosing between
/// both tests by this adds to the false ones at most those that the test of pairs has itself, and for values that are
/// independent at most kPairedBy of the comparisons are tested that way. False of fewer than three pairs.
bool riseTogether(std::span<const double> first, std::span<const double> second);
inline constexpr double kPairedBy = 0.01;

/// Some values of a sample that are beyond the noise of another sample, beside others that are not: where half of the
/// steps become slower, their mean hides in its own noise.
struct ValuesApart {
    std::size_t count = 0;
    double change = 0;       ///< Mean of these - mean of the other sample.
    double probability = 1;  ///< That so many lie so far away without any cause.
};

/// The values of `values` farthest above or below those of `usual`: a quarter of them at least, and two. Each value is
/// held against the prediction of the next one, t = (x - mean) / (s * sqrt(1 + 1/n)) on n - 1 degrees of freedom; with
/// p the k-th smallest of m probabilities, m / k * p is one of all of them, whatever they have to do with each other.
/// Both directions are looked at. Without any noise in `usual`, with fewer than kFewestUsual values there or if all lie
/// apart, which the means tell, there are none.
/// Source: B. Rüger, Das maximale Signifikanzniveau des Tests "Lehne H0 ab, wenn k unter n gegebenen Tests zur
/// Ablehnung führen", Metrika 25 (1978). @pre Finite values.
ValuesApart valuesApart(const Sample& usual, std::span<const double> values);
inline constexpr std::size_t kFewestUsual = 4;

/// Which of many changes are more than noise when all are looked at at once: with m probabilities in ascending order
/// those up to the last p(i) <= i / m * rate. Where there is no change at all, one in 1 / rate comparisons has any.
/// Source: Y. Benjamini, Y. Hochberg, Controlling the false discovery rate, J. R. Statist. Soc. B 57 (1995).
/// @param probabilities  nullopt: not tested, never significant.
std::vector<bool> significantOnes(std::span<const std::optional<double>> probabilities, double rate);

/// Probability that |T| >= t for Student's distribution, and the t of which that is `probability`.
/// Source: NIST Digital Library of Mathematical Functions, 8.17 (incomplete beta function).
double studentTail(double t, double degrees);
double studentQuantile(double probability, double degrees);

}  // namespace altiscope
