#include "core/compare/comparison.h"

#include "core/analysis/steps/step_parts.h"
#include "core/analysis/support/recordings.h"
#include "core/analysis/support/saturating.h"
#include "core/base/text/amount_text.h"
#include "core/base/text/catalogue.h"
#include "core/base/threads/parallel.h"
#include "core/compare/candidate.h"
#include "core/compare/measures.h"
#include "core/compare/statistics.h"

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
    if (auto mixed = severalRecordings(side)) return *mixed;
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

/// One quantity on both sides; null where it does not occur.
struct Pair {
    const MeasureKey* key = nullptr;
    const Measure *base = nullptr, *current = nullptr;
};

/// Of the steps of one side those that lie apart from the other side's, if any.
void addStepsApart(const Pair& pair, const Sample& base, const Sample& current, Candidate& candidate) {
    // What the means keep of the rate, and what the steps apart get of it, which are looked for on both sides.
    constexpr double kOfMeans = 0.9, kOfSteps = (1 - kOfMeans) / 2;
    if (!candidate.probability || pair.base == nullptr || pair.current == nullptr) return;
    candidate.probability = std::min(1.0, *candidate.probability / kOfMeans);
    for (const bool isCurrent : {true, false}) {
        const auto values = Measures::valuesOf(isCurrent ? *pair.current : *pair.base);
        const ValuesApart found = valuesApart(isCurrent ? base : current, values);
        if (found.probability / kOfSteps >= *candidate.probability) continue;
        candidate.probability = found.probability / kOfSteps;
        candidate.apart = StepsApart{.isCurrent = isCurrent,
                                     .count = found.count,
                                     .steps = values.size(),
                                     .change = saturatedRound(found.change)};
    }
}

Candidate candidateOf(const Pair& pair, const Sample& base, const Sample& current) {
    const MeanDifference difference = differenceOfMeans(base, current);
    Candidate candidate{.key = pair.key,
                        .change = changeBetween(base.mean, current.mean),
                        .difference = difference,
                        .probability = difference.probability,
                        .currentSteps = current.count};
    if (pair.key->dimension == Dimension::Category) addStepsApart(pair, base, current, candidate);
    Change& change = candidate.change;
    change.low = rounded(difference.low, std::floor);
    change.high = rounded(difference.high, std::ceil);
    if (pair.current == nullptr) candidate.onlyIn = Difference::Side::Base;
    else if (pair.base == nullptr) candidate.onlyIn = Difference::Side::Current;
    return candidate;
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

/// The means of what adds up to a step, whether they differ or not.
void notePart(const Candidate& candidate, Comparison& comparison) {
    if (candidate.key->dimension != Dimension::Category || candidate.key->rankId) return;
    for (std::size_t i = 0; i < kWholeStep.size(); ++i)
        if (infoOf(kWholeStep[i]).name == candidate.key->key)
            comparison.parts[i] = {candidate.change.base, candidate.change.current};
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
        if (first && second) {
            candidates.push_back(candidateOf(pair, *first, *second));
            if (pair.key->dimension == Dimension::Collective)
                candidates.back().waiting =
                    current.measures->meanWait(pair.key->key) - base.measures->meanWait(pair.key->key);
        } else ++comparison.unrecorded[static_cast<std::size_t>(pair.key->dimension)][first ? 1 : 0];
        return true;
    });
    if (!isComplete) return false;
    std::vector<std::unique_ptr<MeasureKey>> keys;
    joinMovedFindings(candidates, keys);
    markSignificant(candidates);
    explainByCauses(candidates);
    const Order order(candidates);
    std::erase_if(candidates, [&](const Candidate& candidate) {
        if (isStep(*candidate.key)) {
            comparison.step = candidate.change;
            if (candidate.change.significant) comparison.stepsApart = candidate.apart;
        }
        notePart(candidate, comparison);
        const bool isEqual =
            candidate.change.change == 0 && candidate.onlyIn == Difference::Side::Both && candidate.baseRanks.empty();
        return isEqual || isStep(*candidate.key);
    });
    std::sort(candidates.begin(), candidates.end(), order);
    keepLargest(candidates, comparison);
    return !cancel.cancelled();
}

}  // namespace

std::optional<Error> severalRecordings(const ComparisonSide& side) {
    const Recordings all = recordingsOf(*side.capture);
    std::set<std::uint32_t> chosen;
    for (std::size_t r = 0; r < all.ofRank.size(); ++r)
        if (isChosen(side.ranks, side.capture->ranks[r].info.rankId)) chosen.insert(all.ofRank[r]);
    if (chosen.size() < 2) return std::nullopt;
    return Error{"compare.recordings",
                 side.capture->path,
                 {},
                 {{"count", std::to_string(all.names.size())}, {"recordings", recordingNames(all)}}};
}

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

}  // namespace altiscope
