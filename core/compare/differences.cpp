#include "core/compare/differences.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/saturating.h"
#include "core/compare/candidate.h"
#include "core/compare/statistics.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

namespace altiscope {

namespace {

constexpr std::string_view kStep = "step";

/// Outwards for the ends of an interval, so that it never becomes narrower than it is.
std::optional<std::int64_t> rounded(std::optional<double> value, double (*round)(double)) {
    if (!value) return std::nullopt;
    return saturatedRound(round(*value));
}

/// One quantity on both sides; null where it does not occur.
struct Pair {
    const MeasureKey* key = nullptr;
    const Measure *base = nullptr, *current = nullptr;
};

/// Relation between the steps of both sides.
struct Pairing {
    bool areEqual = false;     ///< Equal numbers.
    bool areOfOneRun = false;  ///< Two ranks of one capture in the same steps: what slows a step slows both.
};

Pairing pairingOf(const MeasuredSide& base, const MeasuredSide& current) {
    const bool areEqual = base.part->stepNumbers() == current.part->stepNumbers();
    return {.areEqual = areEqual, .areOfOneRun = areEqual && base.capture == current.capture};
}

/// Pairs of equal steps where they have something in common, else the means of each side.
MeanDifference testOf(const MeasureKey& key, const StepValues& base, const StepValues& current, const Pairing& pairing,
                      bool& isPaired) {
    isPaired =
        pairing.areEqual && base.steps == current.steps && base.steps.size() > 1 &&
        ((pairing.areOfOneRun && key.dimension == Dimension::Category) || riseTogether(base.values, current.values));
    if (isPaired) return differenceOfPairs(base.values, current.values);
    return differenceOfMeans(sampleOf(base.values), sampleOf(current.values));
}

/// Steps of one side that lie apart from the other side's, if any.
void addStepsApart(const StepValues& base, const StepValues& current, Candidate& candidate) {
    // Share of the rate that the means keep, and that of the steps apart, which are looked for on both sides.
    constexpr double kOfMeans = 0.9, kOfSteps = (1 - kOfMeans) / 2;
    if (!candidate.probability) return;
    candidate.probability = std::min(1.0, *candidate.probability / kOfMeans);
    for (const bool isCurrent : {true, false}) {
        const std::vector<double>& values = isCurrent ? current.values : base.values;
        const ValuesApart found = valuesApart(sampleOf(isCurrent ? base.values : current.values), values);
        if (found.probability / kOfSteps >= *candidate.probability) continue;
        candidate.probability = found.probability / kOfSteps;
        candidate.apart = StepsApart{.isCurrent = isCurrent,
                                     .count = found.count,
                                     .steps = values.size(),
                                     .change = saturatedRound(found.change)};
    }
}

Candidate candidateOf(const Pair& pair, const StepValues& base, const StepValues& current, const Pairing& pairing) {
    bool isPaired = false;
    const MeanDifference difference = testOf(*pair.key, base, current, pairing, isPaired);
    Candidate candidate{.key = pair.key,
                        .change = changeBetween(meanOf(base.values), meanOf(current.values)),
                        .difference = difference,
                        .probability = difference.probability,
                        .currentSteps = current.values.size()};
    if (pair.key->dimension == Dimension::Category && !isPaired) addStepsApart(base, current, candidate);
    Change& change = candidate.change;
    change.low = rounded(difference.low, std::floor);
    change.high = rounded(difference.high, std::ceil);
    change.isPaired = isPaired;
    if (pair.current == nullptr) candidate.onlyIn = Difference::Side::Base;
    else if (pair.base == nullptr) candidate.onlyIn = Difference::Side::Current;
    return candidate;
}

bool isAtEnd(const MeasureKey& key) {
    return key.dimension == Dimension::Memory && !key.rankId && key.key == kEndAllocated;
}

bool isStep(const MeasureKey& key) { return key.dimension == Dimension::Category && key.key == kStep; }

/// Sizes of different units beside each other: times by their share of a step, bytes by that of the memory in use.
class Order {
public:
    explicit Order(const std::vector<Candidate>& candidates) {
        for (const Candidate& candidate : candidates) {
            const bool isTime = isStep(*candidate.key);
            if (!isTime && candidate.key->unit != DifferenceUnit::Bytes) continue;
            double& whole = isTime ? m_step : m_memory;
            whole = std::max(
                {whole, static_cast<double>(candidate.change.base), static_cast<double>(candidate.change.current)});
        }
    }

    bool operator()(const Candidate& a, const Candidate& b) const {
        const double first = weightOf(a), second = weightOf(b);
        if (first != second) return first > second;
        if (a.key->unit != b.key->unit) return a.key->unit < b.key->unit;
        if (sizeOf(a.change) != sizeOf(b.change)) return sizeOf(a.change) > sizeOf(b.change);
        return std::tie(a.key->dimension, a.key->key, a.key->rankId) <
               std::tie(b.key->dimension, b.key->key, b.key->rankId);
    }

private:
    double weightOf(const Candidate& candidate) const {
        const auto size = static_cast<double>(sizeOf(candidate.change));
        switch (candidate.key->unit) {
        case DifferenceUnit::Nanoseconds: return m_step > 0 ? size / m_step : size;
        case DifferenceUnit::Bytes: return m_memory > 0 ? size / m_memory : 0;
        case DifferenceUnit::Count: break;
        }
        return -1 / (1 + size);  // Findings that are no time come last.
    }

    double m_step = 0, m_memory = 0;
};

/// Groups that are looked at by themselves, so that neither the ranks hide the step nor thousands of kernels its parts.
/// In the order of what a reader wants to know.
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
    if (base.rankIds.size() < 2 && current.rankIds.size() < 2) return true;
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
        Candidate one{.key = keys.emplace_back(std::make_unique<MeasureKey>(rule)).get(),
                      .change = {},
                      .difference = {},
                      .probability = {}};
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

void keepLargest(const std::vector<Candidate>& candidates, Comparison& comparison) {
    std::array<std::size_t, kDimensions> kept{};
    std::map<const MeasureKey*, std::size_t> places;
    std::vector<const MeasureKey*> causes;
    for (const Candidate& candidate : candidates) {
        if (candidate.change.significant) ++comparison.significant;
        const auto dimension = static_cast<std::size_t>(candidate.key->dimension);
        if (kept[dimension]++ >= Comparison::kMaxOfDimension) {
            ++comparison.omitted[dimension];
            continue;
        }
        const bool isApart = candidate.change.significant || candidate.causeKey != nullptr;
        places.emplace(candidate.key, comparison.differences.size());
        causes.push_back(candidate.causeKey);
        comparison.differences.push_back({.dimension = candidate.key->dimension,
                                          .key = candidate.key->key,
                                          .rankId = candidate.key->rankId,
                                          .baseRanks = candidate.baseRanks,
                                          .currentRanks = candidate.currentRanks,
                                          .unit = candidate.key->unit,
                                          .change = candidate.change,
                                          .onlyIn = candidate.onlyIn,
                                          .cause = {},
                                          .apart = isApart ? candidate.apart : std::nullopt});
    }
    for (std::size_t i = 0; i < causes.size(); ++i)
        if (const auto place = places.find(causes[i]); place != places.end())
            comparison.differences[i].cause = place->second;
}

/// Times of a recording without steps and times of a step have nothing in common, nor have counts of both.
bool canCompare(const MeasureKey& key, const MeasuredSide& base, const MeasuredSide& current) {
    if (isOfOtherRank(key, base, current)) return false;
    const bool areAlike = base.part->isOfRecording() == current.part->isOfRecording();
    return areAlike || key.dimension == Dimension::Memory;
}

/// All quantities that both sides recorded; what one of them did not is counted. @return False if cancelled.
bool addCandidates(const MeasuredSide& base, const MeasuredSide& current, std::vector<Candidate>& candidates,
                   Comparison& comparison, const CancelToken& cancel) {
    constexpr std::size_t kPairsBetweenPolls = 256;
    const Pairing pairing = pairingOf(base, current);
    std::size_t pairs = 0;
    return forEachPair(*base.measures, *current.measures, [&](const Pair& pair) {
        if (++pairs % kPairsBetweenPolls == 0 && cancel.cancelled()) return false;
        if (!canCompare(*pair.key, base, current)) return true;
        const StepValues first = base.measures->valuesOf(*pair.key, pair.base, pair.current),
                         second = current.measures->valuesOf(*pair.key, pair.current, pair.base);
        if (first.values.empty() || second.values.empty()) {
            if (pair.key->dimension == Dimension::Finding) return true;
            ++comparison.unrecorded[static_cast<std::size_t>(pair.key->dimension)][first.values.empty() ? 0 : 1];
            return true;
        }
        candidates.push_back(candidateOf(pair, first, second, pairing));
        if (pair.key->dimension == Dimension::Collective)
            candidates.back().waiting =
                current.measures->meanWait(pair.key->key) - base.measures->meanWait(pair.key->key);
        return true;
    });
}

/// The means of what adds up to a step, whether they differ or not.
void notePart(const Candidate& candidate, Comparison& comparison) {
    if (candidate.key->dimension != Dimension::Category || candidate.key->rankId) return;
    for (std::size_t i = 0; i < kWholeStep.size(); ++i)
        if (infoOf(kWholeStep[i]).name == candidate.key->key)
            comparison.parts[i] = {candidate.change.base, candidate.change.current};
}

}  // namespace

bool addDifferences(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison,
                    const CancelToken& cancel) {
    std::vector<Candidate> candidates;
    if (!addCandidates(base, current, candidates, comparison, cancel)) return false;
    std::vector<std::unique_ptr<MeasureKey>> keys;
    joinMovedFindings(candidates, keys);
    markSignificant(candidates);
    explainByCauses(candidates);
    const Order order(candidates);
    std::erase_if(candidates, [&](const Candidate& candidate) {
        if (isStep(*candidate.key)) {
            comparison.step = candidate.change;
            comparison.stepProbability = candidate.probability;
            if (candidate.change.significant) comparison.stepsApart = candidate.apart;
        }
        notePart(candidate, comparison);
        if (isAtEnd(*candidate.key)) comparison.atEnd = {candidate.change.base, candidate.change.current};
        const bool isEqual =
            candidate.change.change == 0 && candidate.onlyIn == Difference::Side::Both && candidate.baseRanks.empty();
        return isEqual || isStep(*candidate.key);
    });
    std::sort(candidates.begin(), candidates.end(), order);
    keepLargest(candidates, comparison);
    return !cancel.cancelled();
}

}  // namespace altiscope
