#include "core/compare/comparison.h"

#include "core/analysis/support/saturating.h"
#include "core/base/catalogue.h"
#include "core/base/parallel.h"
#include "core/compare/measures.h"
#include "core/compare/statistics.h"
#include "core/findings/rule_support.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <functional>
#include <tuple>

namespace altiscope {

namespace {

constexpr std::string_view kStep = "step";

/// Whether sums over the ranks become the mean of a rank: links are what they are, and categories are means already.
bool isSumOfRanks(const MeasureKey& key) {
    return !key.rankId && key.dimension != Dimension::Category && key.dimension != Dimension::Link &&
           key.dimension != Dimension::Finding;
}

struct MeasuredSide {
    std::size_t steps = 0, ranks = 0;
    std::unique_ptr<Measures> measures;
};

Result<MeasuredSide> measureSide(const ComparisonSide& side, const CancelToken& cancel) {
    auto times = readStepTimes(*side.database, cancel);
    if (!times.ok()) return times.as<MeasuredSide>();
    const MeasuredPart part(side, std::move(times).value());
    if (part.stepCount() == 0) return Error{"compare.no_steps", side.capture->path, {}, {}};
    MeasuredSide measured{
        .steps = part.stepCount(), .ranks = part.rankCount(), .measures = std::make_unique<Measures>()};
    Measures& to = *measured.measures;
    measureCategories(part, to);
    using Reader = std::function<Result<Done>()>;
    const Reader readers[] = {[&] { return measureRows(side, part, to, cancel); },
                              [&] { return measureCollectives(side, part, to, cancel); },
                              [&] { return measureFindings(side, part, to, cancel); }};
    for (const Reader& read : readers) {
        const auto done = read();
        if (!done.ok()) return done.as<MeasuredSide>();
    }
    return measured;
}

std::vector<double> valuesOf(const MeasuredSide& side, const MeasureKey& key) {
    const auto found = side.measures->all().find(key);
    // What never occurs takes no time in any step.
    if (found == side.measures->all().end())
        return std::vector<double>(key.dimension == Dimension::Finding ? 1 : side.steps, 0);
    std::vector<double> values = found->second.values;
    if (isSumOfRanks(key))
        for (double& value : values) value /= static_cast<double>(std::max<std::size_t>(1, side.ranks));
    return values;
}

/// Outwards for the ends of an interval, so that it never becomes narrower than it is.
std::optional<std::int64_t> rounded(std::optional<double> value, double (*round)(double)) {
    if (!value) return std::nullopt;
    return saturatedRound(round(*value));
}

/// With the probability that it is noise.
struct TestedChange {
    Change change;
    std::optional<double> probability;
};

TestedChange changeOf(const std::vector<double>& base, const std::vector<double>& current) {
    const MeanDifference difference = differenceOfMeans(base, current);
    TestedChange tested;
    tested.change.base = saturatedRound(meanOf(base));
    tested.change.current = saturatedRound(meanOf(current));
    tested.change.change = saturatedDifference(tested.change.current, tested.change.base);
    tested.change.low = rounded(difference.low, std::floor);
    tested.change.high = rounded(difference.high, std::ceil);
    tested.probability = difference.probability;
    return tested;
}

Difference::Side sideOf(const MeasuredSide& base, const MeasuredSide& current, const MeasureKey& key) {
    if (!current.measures->all().contains(key)) return Difference::Side::Base;
    return base.measures->all().contains(key) ? Difference::Side::Both : Difference::Side::Current;
}

/// Without the sign; the least integer has no positive counterpart.
std::int64_t sizeOf(const Difference& difference) {
    return difference.change.change < 0 ? saturatedDifference(0, difference.change.change) : difference.change.change;
}

bool comesBefore(const Difference& a, const Difference& b) {
    return std::tuple(a.unit, -sizeOf(a), a.dimension, a.key, a.rankId) <
           std::tuple(b.unit, -sizeOf(b), b.dimension, b.key, b.rankId);
}

void keepGreatest(Comparison& comparison) {
    std::array<std::size_t, kDimensions> kept{};
    std::vector<Difference> differences;
    for (Difference& difference : comparison.differences) {
        const auto dimension = static_cast<std::size_t>(difference.dimension);
        if (kept[dimension]++ < Comparison::kMostOfDimension) differences.push_back(std::move(difference));
        else ++comparison.omitted[dimension];
    }
    comparison.differences = std::move(differences);
}

/// The few parts of a step are looked at by themselves, so that thousands of kernels do not hide them; each half of the
/// differences gets half of the rate.
void markSignificant(std::vector<Difference>& differences, const std::vector<std::optional<double>>& probabilities) {
    for (const bool isOfStep : {true, false}) {
        std::vector<std::optional<double>> tested(probabilities.size());
        for (std::size_t i = 0; i < tested.size(); ++i)
            if ((differences[i].dimension == Dimension::Category) == isOfStep) tested[i] = probabilities[i];
        const std::vector<bool> significant = significantOnes(tested, kFalseRate / 2);
        for (std::size_t i = 0; i < tested.size(); ++i)
            if (tested[i]) differences[i].change.significant = significant[i];
    }
}

/// @return False if cancelled.
bool addDifferences(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison,
                    const CancelToken& cancel) {
    std::vector<MeasureKey> keys;
    for (const auto& [key, measure] : base.measures->all()) keys.push_back(key);
    for (const auto& [key, measure] : current.measures->all())
        if (!base.measures->all().contains(key)) keys.push_back(key);
    std::vector<std::optional<double>> probabilities;
    for (const MeasureKey& key : keys) {
        if (probabilities.size() % 256 == 0 && cancel.cancelled()) return false;
        TestedChange tested = changeOf(valuesOf(base, key), valuesOf(current, key));
        probabilities.push_back(tested.probability);
        comparison.differences.push_back({.dimension = key.dimension,
                                          .key = key.key,
                                          .rankId = key.rankId,
                                          .unit = key.unit,
                                          .change = tested.change,
                                          .onlyIn = sideOf(base, current, key)});
    }
    markSignificant(comparison.differences, probabilities);
    const auto isStep = [](const Difference& difference) {
        return difference.dimension == Dimension::Category && difference.key == kStep;
    };
    const auto step = std::find_if(comparison.differences.begin(), comparison.differences.end(), isStep);
    if (step != comparison.differences.end()) comparison.step = step->change;
    std::erase_if(comparison.differences, [&](const Difference& difference) {
        const bool isEqual = difference.change.change == 0 && difference.onlyIn == Difference::Side::Both;
        return isEqual || isStep(difference);
    });
    std::sort(comparison.differences.begin(), comparison.differences.end(), comesBefore);
    keepGreatest(comparison);
    return !cancel.cancelled();
}

/// "3, 7" of the ranks in which a category changed most in the direction of the step; empty if none stands out.
std::string ranksOf(const Comparison& comparison, const std::string& category, std::int64_t change) {
    constexpr std::size_t kMostRanks = 5;
    std::vector<std::int64_t> ranks;
    for (const Difference& difference : comparison.differences) {
        const bool isOfCategory =
            difference.dimension == Dimension::Category && difference.key == category && difference.rankId;
        // Half as much again as the mean rank.
        if (!isOfCategory || !difference.change.significant || (difference.change.change < 0) != (change < 0)) continue;
        if (sizeOf(difference) > std::abs(change) / 2 * 3) ranks.push_back(*difference.rankId);
    }
    if (ranks.empty() || ranks.size() > kMostRanks) return {};
    std::sort(ranks.begin(), ranks.end());
    std::string text;
    for (const std::int64_t rank : ranks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    return text;
}

/// The part of a step that explains most of its change: the three that add up to it.
const Difference* greatestPart(const Comparison& comparison) {
    for (const Difference& difference : comparison.differences) {
        const bool isPart =
            difference.dimension == Dimension::Category && !difference.rankId &&
            (difference.key == "computing" || difference.key == "exposed_communication" || difference.key == "free");
        if (isPart && (difference.change.change < 0) == (comparison.step.change < 0)) return &difference;
    }
    return nullptr;
}

std::string_view codeOf(const std::string& ranks) {
    if (ranks.empty()) return "compare.mostly";
    return ranks.find(',') == std::string::npos ? "compare.mostly_rank" : "compare.mostly_ranks";
}

std::string partName(const std::string& part, std::string_view language) {
    if (part == "computing") return catalogueText("compare.part.computing", language);
    if (part == "free") return catalogueText("compare.part.free", language);
    return catalogueText("compare.part.exposed", language);
}

}  // namespace

bool isChosen(const std::optional<std::vector<std::int64_t>>& numbers, std::optional<std::int64_t> number) {
    return !numbers || (number && std::find(numbers->begin(), numbers->end(), *number) != numbers->end());
}

std::string_view dimensionName(Dimension dimension) {
    switch (dimension) {
    case Dimension::Category: return "category";
    case Dimension::Operator: return "operator";
    case Dimension::Kernel: return "kernel";
    case Dimension::Api: return "api";
    case Dimension::Collective: return "collective";
    case Dimension::Link: return "link";
    case Dimension::Memory: return "memory";
    case Dimension::Finding: return "finding";
    }
    return {};
}

std::string_view differenceUnitName(DifferenceUnit unit) {
    switch (unit) {
    case DifferenceUnit::Nanoseconds: return "ns";
    case DifferenceUnit::Bytes: return "bytes";
    case DifferenceUnit::Count: return "count";
    }
    return {};
}

Result<Comparison> compareSides(const ComparisonSide& base, const ComparisonSide& current, const CancelToken& cancel) {
    const ComparisonSide* const sides[] = {&base, &current};
    std::array<std::optional<Result<MeasuredSide>>, 2> measured;
    parallelFor(2, [&](std::size_t i) { measured[i] = measureSide(*sides[i], cancel); });
    for (const auto& side : measured)
        if (!side->ok()) return side->as<Comparison>();
    const MeasuredSide &first = measured[0]->value(), &second = measured[1]->value();
    Comparison comparison;
    comparison.base = base.capture->path;
    comparison.current = current.capture->path;
    comparison.baseSteps = first.steps;
    comparison.currentSteps = second.steps;
    comparison.baseRanks = first.ranks;
    comparison.currentRanks = second.ranks;
    if (!addDifferences(first, second, comparison, cancel)) return Cancelled{};
    return comparison;
}

std::string comparisonSentence(const Comparison& comparison, std::string_view language) {
    const Change& step = comparison.step;
    const std::int64_t size = step.change < 0 ? saturatedDifference(0, step.change) : step.change;
    const double share = step.base == 0 ? 0 : static_cast<double>(size) / static_cast<double>(step.base);
    MessageParameters parameters{{"base", timeText(step.base)},
                                 {"current", timeText(step.current)},
                                 {"change", timeText(size)},
                                 {"share", shareText(share)}};
    std::string_view code = step.change < 0 ? "compare.faster" : "compare.slower";
    if (step.low && !step.significant) code = "compare.same";
    std::string text = catalogueText(code, language, parameters);
    const std::string gap = language == "zh_CN" ? "" : " ";
    if (const Difference* part = greatestPart(comparison); part != nullptr && code != "compare.same") {
        const std::string ranks = ranksOf(comparison, part->key, part->change.change);
        MessageParameters of{
            {"part", partName(part->key, language)}, {"time", timeText(sizeOf(*part))}, {"ranks", ranks}};
        text += gap + catalogueText(codeOf(ranks), language, of);
    }
    if (!step.low) text += gap + catalogueText("compare.no_noise", language);
    return text;
}

}  // namespace altiscope
