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
#include <map>
#include <memory>
#include <set>
#include <tuple>

namespace altiscope {

namespace {

constexpr std::string_view kStep = "step";

struct MeasuredSide {
    std::size_t steps = 0, ranks = 0;
    std::set<std::int64_t> rankIds;
    std::unique_ptr<const MeasuredPart> part;
    std::unique_ptr<Measures> measures;

    bool hasRank(const MeasureKey& key) const { return !key.rankId || rankIds.contains(*key.rankId); }
};

/// The first number that a side chooses and its capture does not have.
std::optional<Error> unknownNumber(const ComparisonSide& side, const std::vector<StepTimes>& times) {
    std::set<std::int64_t> ranks, steps;
    for (const RankEntry& rank : side.capture->ranks)
        if (rank.info.rankId) ranks.insert(*rank.info.rankId);
    for (const StepTimes& row : times) {
        if (row.rankId) ranks.insert(*row.rankId);
        if (row.step) steps.insert(*row.step);
    }
    const std::tuple<const char*, const std::optional<std::vector<std::int64_t>>&, const std::set<std::int64_t>&>
        lists[] = {{"compare.no_rank", side.ranks, ranks}, {"compare.no_step", side.steps, steps}};
    for (const auto& [code, chosen, known] : lists) {
        if (!chosen) continue;
        for (const std::int64_t number : *chosen)
            if (!known.contains(number))
                return Error{code, side.capture->path, {}, {{"number", std::to_string(number)}}};
    }
    return std::nullopt;
}

Result<MeasuredSide> measureSide(const ComparisonSide& side, const CancelToken& cancel) {
    auto times = readStepTimes(*side.database, cancel);
    if (!times.ok()) return times.as<MeasuredSide>();
    if (auto unknown = unknownNumber(side, times.value())) return *unknown;
    auto owned = std::make_unique<const MeasuredPart>(side, std::move(times).value());
    const MeasuredPart& part = *owned;
    if (part.stepCount() == 0) return Error{"compare.no_steps", side.capture->path, {}, {}};
    MeasuredSide measured{.steps = part.stepCount(),
                          .ranks = part.rankCount(),
                          .rankIds = part.rankIds(),
                          .part = std::move(owned),
                          .measures = std::make_unique<Measures>(part.stepCount())};
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

/// Outwards for the ends of an interval, so that it never becomes narrower than it is.
std::optional<std::int64_t> rounded(std::optional<double> value, double (*round)(double)) {
    if (!value) return std::nullopt;
    return saturatedRound(round(*value));
}

/// A difference before it is known whether it is kept; its key is that of a measure.
struct Candidate {
    const MeasureKey* key = nullptr;
    Change change;
    std::optional<double> probability;  ///< That it is noise.
    Difference::Side onlyIn = Difference::Side::Both;
    std::vector<std::int64_t> baseRanks = {}, currentRanks = {};  ///< As Difference.
};

/// One quantity on both sides; null where it does not occur.
struct Pair {
    const MeasureKey* key = nullptr;
    const Measure *base = nullptr, *current = nullptr;
};

Candidate candidateOf(const Pair& pair, const Sample& base, const Sample& current) {
    const MeanDifference difference = differenceOfMeans(base, current);
    Candidate candidate{
        .key = pair.key, .change = changeBetween(base.mean, current.mean), .probability = difference.probability};
    Change& change = candidate.change;
    change.low = rounded(difference.low, std::floor);
    change.high = rounded(difference.high, std::ceil);
    if (pair.current == nullptr) candidate.onlyIn = Difference::Side::Base;
    else if (pair.base == nullptr) candidate.onlyIn = Difference::Side::Current;
    return candidate;
}

/// Without the sign; the least integer has no positive counterpart.
std::int64_t sizeOf(const Change& change) {
    return change.change < 0 ? saturatedDifference(0, change.change) : change.change;
}

bool comesBefore(const Candidate& a, const Candidate& b) {
    if (a.key->unit != b.key->unit) return a.key->unit < b.key->unit;
    const std::int64_t first = sizeOf(a.change), second = sizeOf(b.change);
    if (first != second) return first > second;
    return std::tie(a.key->dimension, a.key->key, a.key->rankId) <
           std::tie(b.key->dimension, b.key->key, b.key->rankId);
}

bool isStep(const MeasureKey& key) { return key.dimension == Dimension::Category && key.key == kStep; }

/// What is looked at by itself, so that neither the ranks hide the step nor thousands of kernels its parts. In the
/// order of what a reader wants to know.
enum class Family : std::uint8_t { Step, Parts, PartsOfRanks, Others };

Family familyOf(const MeasureKey& key) {
    if (isStep(key)) return Family::Step;
    if (key.dimension != Dimension::Category) return Family::Others;
    return key.rankId ? Family::PartsOfRanks : Family::Parts;
}

/// The rates of the families add up to kFalseRate. That of the step goes to its parts where it changed: then there is a
/// change, and something is no false alarm.
void markSignificant(std::vector<Candidate>& candidates) {
    constexpr double kShare = kFalseRate / 5;
    bool isStepChanged = false;
    for (const Family family : {Family::Step, Family::Parts, Family::PartsOfRanks, Family::Others}) {
        std::vector<std::optional<double>> tested(candidates.size());
        for (std::size_t i = 0; i < tested.size(); ++i)
            if (familyOf(*candidates[i].key) == family) tested[i] = candidates[i].probability;
        const bool isTwice = family == Family::Others || (family == Family::Parts && isStepChanged);
        const std::vector<bool> significant = significantOnes(tested, isTwice ? 2 * kShare : kShare);
        for (std::size_t i = 0; i < tested.size(); ++i) {
            if (!tested[i]) continue;
            candidates[i].change.significant = significant[i];
            isStepChanged = isStepChanged || (family == Family::Step && significant[i]);
        }
    }
}

/// Calls `visit` with all quantities of two sides, in the order of their keys. @return False as soon as it does.
template <class Visit>
bool forEachPair(const Measures& base, const Measures& current, const Visit& visit) {
    auto first = base.all().begin(), second = current.all().begin();
    while (first != base.all().end() || second != current.all().end()) {
        Pair pair;
        const bool takesFirst =
            first != base.all().end() && (second == current.all().end() || first->first <= second->first);
        const bool takesSecond =
            second != current.all().end() && (first == base.all().end() || second->first <= first->first);
        if (takesSecond) {
            pair.key = &second->first;
            pair.current = &second->second;
            ++second;
        }
        if (takesFirst) {
            pair.key = &first->first;
            pair.base = &first->second;
            ++first;
        }
        if (!visit(pair)) return false;
    }
    return true;
}

/// Whether a quantity of one rank is none of both sides: a single rank beside another one is what the side is, and of
/// several only those that are on both sides can be compared.
bool isOfOtherRank(const MeasureKey& key, const MeasuredSide& base, const MeasuredSide& current) {
    if (!key.rankId) return false;
    const bool isSingle = base.rankIds.size() < 2 && current.rankIds.size() < 2;
    if (isSingle) return key.dimension != Dimension::Finding;
    return !base.hasRank(key) || !current.hasRank(key);
}

/// A rule that found something on each side, but on other ranks, did not come and go: what it found is one difference.
/// @param keys  Where those without a rank live as long as the candidates.
void joinMovedFindings(std::vector<Candidate>& candidates, std::vector<std::unique_ptr<MeasureKey>>& keys) {
    std::map<MeasureKey, std::array<std::vector<std::size_t>, 2>> rules;
    std::set<MeasureKey> withoutRank;
    for (std::size_t i = 0; i < candidates.size(); ++i) {
        if (candidates[i].key->dimension != Dimension::Finding) continue;
        MeasureKey rule = *candidates[i].key;
        rule.rankId.reset();
        if (!candidates[i].key->rankId) withoutRank.insert(rule);
        else if (candidates[i].onlyIn != Difference::Side::Both)
            rules[rule][candidates[i].onlyIn == Difference::Side::Current ? 1 : 0].push_back(i);
    }
    std::set<std::size_t> joined;
    for (const auto& [rule, sides] : rules) {
        // Beside a finding of the rule that is about all ranks, nobody could see which value is of which.
        if (sides[0].empty() || sides[1].empty() || withoutRank.contains(rule)) continue;
        Candidate one{
            .key = keys.emplace_back(std::make_unique<MeasureKey>(rule)).get(), .change = {}, .probability = {}};
        std::int64_t base = 0, current = 0;
        for (const auto& side : sides) {
            for (const std::size_t i : side) {
                base = saturatedSum(base, candidates[i].change.base);
                current = saturatedSum(current, candidates[i].change.current);
                (&side == &sides[0] ? one.baseRanks : one.currentRanks).push_back(*candidates[i].key->rankId);
                joined.insert(i);
            }
        }
        one.change.base = base;
        one.change.current = current;
        one.change.change = saturatedDifference(current, base);
        candidates.push_back(std::move(one));
    }
    std::size_t index = 0;
    std::erase_if(candidates, [&](const Candidate&) { return joined.contains(index++); });
}

void keepGreatest(const std::vector<Candidate>& candidates, Comparison& comparison) {
    std::array<std::size_t, kDimensions> kept{};
    for (const Candidate& candidate : candidates) {
        const auto dimension = static_cast<std::size_t>(candidate.key->dimension);
        if (kept[dimension]++ < Comparison::kMostOfDimension)
            comparison.differences.push_back({.dimension = candidate.key->dimension,
                                              .key = candidate.key->key,
                                              .rankId = candidate.key->rankId,
                                              .baseRanks = candidate.baseRanks,
                                              .currentRanks = candidate.currentRanks,
                                              .unit = candidate.key->unit,
                                              .change = candidate.change,
                                              .onlyIn = candidate.onlyIn});
        else ++comparison.omitted[dimension];
        if (candidate.change.significant) ++comparison.significant;
    }
}

/// @return False if cancelled.
bool addDifferences(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison,
                    const CancelToken& cancel) {
    constexpr std::size_t kPairsBetweenPolls = 256;
    std::vector<Candidate> candidates;
    std::size_t pairs = 0;
    const bool isComplete = forEachPair(*base.measures, *current.measures, [&](const Pair& pair) {
        if (++pairs % kPairsBetweenPolls == 0 && cancel.cancelled()) return false;
        if (isOfOtherRank(*pair.key, base, current)) return true;
        const auto first = base.measures->sample(*pair.key, pair.base, pair.current);
        const auto second = current.measures->sample(*pair.key, pair.current, pair.base);
        if (first && second) candidates.push_back(candidateOf(pair, *first, *second));
        else ++comparison.unrecorded[static_cast<std::size_t>(pair.key->dimension)][first ? 1 : 0];
        return true;
    });
    if (!isComplete) return false;
    std::vector<std::unique_ptr<MeasureKey>> keys;
    joinMovedFindings(candidates, keys);
    markSignificant(candidates);
    std::erase_if(candidates, [&](const Candidate& candidate) {
        if (isStep(*candidate.key)) comparison.step = candidate.change;
        const bool isEqual =
            candidate.change.change == 0 && candidate.onlyIn == Difference::Side::Both && candidate.baseRanks.empty();
        return isEqual || isStep(*candidate.key);
    });
    std::sort(candidates.begin(), candidates.end(), comesBefore);
    keepGreatest(candidates, comparison);
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
        if (sizeOf(difference.change) > std::abs(change) / 2 * 3) ranks.push_back(*difference.rankId);
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
        if (isPart && (difference.change.change < 0) == (comparison.step->change < 0)) return &difference;
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

std::string stepSentence(const Comparison& comparison, std::string_view language, const std::string& gap) {
    if (!comparison.step) return catalogueText("compare.no_step_time", language);
    const Change& step = *comparison.step;
    const double share = step.base == 0 ? 0 : static_cast<double>(sizeOf(step)) / static_cast<double>(step.base);
    MessageParameters parameters{{"base", timeText(step.base)},
                                 {"current", timeText(step.current)},
                                 {"change", timeText(sizeOf(step))},
                                 {"share", shareText(share)}};
    std::string_view code = step.change < 0 ? "compare.faster" : "compare.slower";
    if (step.low && !step.significant) code = "compare.same";
    if (step.change == 0) code = "compare.equal";
    std::string text = catalogueText(code, language, parameters);
    const bool isChanged = code == "compare.faster" || code == "compare.slower";
    if (const Difference* part = isChanged ? greatestPart(comparison) : nullptr; part != nullptr) {
        const std::string ranks = ranksOf(comparison, part->key, part->change.change);
        MessageParameters of{
            {"part", partName(part->key, language)}, {"time", timeText(sizeOf(part->change))}, {"ranks", ranks}};
        text += gap + catalogueText(codeOf(ranks), language, of);
    }
    if (!step.low) text += gap + catalogueText("compare.no_noise", language);
    return text;
}

/// "memory, kernel" of what one side did not record; empty if nothing.
std::string unrecordedNames(const Comparison& comparison, bool isCurrent) {
    std::string names;
    for (std::size_t i = 0; i < kDimensions; ++i)
        if (comparison.unrecorded[i][isCurrent ? 1 : 0] > 0)
            names += (names.empty() ? "" : ", ") + std::string(dimensionName(static_cast<Dimension>(i)));
    return names;
}

}  // namespace

bool isChosen(const std::optional<std::vector<std::int64_t>>& numbers, std::optional<std::int64_t> number) {
    return !numbers || (number && std::find(numbers->begin(), numbers->end(), *number) != numbers->end());
}

std::string otherRanksText(const Difference& difference) {
    std::string text;
    for (const std::int64_t rank : difference.baseRanks) text += (text.empty() ? "" : ", ") + std::to_string(rank);
    if (text.empty()) return text;
    text += " -> ";
    for (std::size_t i = 0; i < difference.currentRanks.size(); ++i)
        text += (i == 0 ? "" : ", ") + std::to_string(difference.currentRanks[i]);
    return text;
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
    comparison.order = compareOrder(base, *first.part, current, *second.part, cancel);
    if (cancel.cancelled()) return Cancelled{};
    return comparison;
}

std::string comparisonSentence(const Comparison& comparison, std::string_view language) {
    const std::string gap = language == "zh_CN" ? "" : " ";
    std::string text = stepSentence(comparison, language, gap);
    for (const bool isCurrent : {false, true}) {
        const std::string what = unrecordedNames(comparison, isCurrent);
        if (what.empty()) continue;
        text += gap + catalogueText(isCurrent ? "compare.unrecorded_current" : "compare.unrecorded_base", language,
                                    {{"what", what}});
    }
    return text;
}

}  // namespace altiscope
