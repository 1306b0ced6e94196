#include "views/cluster/data/rank_spread.h"

#include "core/base/values/median.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <utility>

namespace altiscope {

namespace {

constexpr double kNormal = 0.6745;  // upper quartile of the normal distribution
constexpr std::size_t kFewestForScatter = 3;

std::vector<double> knownOf(const std::vector<double>& values) {
    std::vector<double> known;
    std::copy_if(values.begin(), values.end(), std::back_inserter(known),
                 [](double value) { return !std::isnan(value); });
    return known;
}

/// The ranks of a group that have a value, folded. Without any the value is NaN.
DimensionSpread::Part partOf(const std::vector<std::uint32_t>& members, const std::vector<double>& values,
                             RankFold fold) {
    DimensionSpread::Part part{{}, std::numeric_limits<double>::quiet_NaN()};
    double sum = 0, max = -std::numeric_limits<double>::infinity();
    for (const std::uint32_t rank : members) {
        if (std::isnan(values[rank])) continue;
        part.ranks.push_back(rank);
        sum += values[rank];
        max = std::max(max, values[rank]);
    }
    if (!part.ranks.empty()) part.value = fold == RankFold::Max ? max : sum / static_cast<double>(part.ranks.size());
    return part;
}

void addPlaces(const RankGrouping& grouping, const std::vector<double>& values, DimensionSpread& spread) {
    std::vector<std::vector<std::uint32_t>> byPlace(spread.dimension.size);
    for (std::uint32_t r = 0; r < grouping.place.size(); ++r) {
        if (grouping.place[r] < byPlace.size()) byPlace[grouping.place[r]].push_back(r);
    }
    std::vector<double> means;
    double largest = -std::numeric_limits<double>::infinity();
    for (std::uint32_t place = 0; place < byPlace.size(); ++place) {
        const double mean = partOf(byPlace[place], values, RankFold::Mean).value;
        if (std::isnan(mean)) continue;
        means.push_back(mean);
        if (mean <= largest) continue;
        largest = mean;
        spread.slowestPlace = place;
    }
    if (means.empty()) return;
    const UsualValue usual = usualOf(means);
    spread.placeValue = largest;
    spread.medianPlace = usual.median;
    spread.placeZ = usual.robustZ(largest);
}

}  // namespace

std::optional<double> UsualValue::robustZ(double value) const {
    if (count < kFewestForScatter || scatter <= 0) return std::nullopt;
    return kNormal * (value - median) / scatter;
}

UsualValue usualOf(const std::vector<double>& values) {
    std::vector<double> known = knownOf(values);
    UsualValue usual;
    usual.count = known.size();
    if (known.empty()) return usual;
    usual.median = median(known);
    for (double& value : known) value = std::abs(value - usual.median);
    usual.scatter = median(std::move(known));
    return usual;
}

bool isApart(const UsualValue& usual, double value) {
    const auto z = usual.robustZ(value);
    return z && std::abs(*z) > kApartZ && std::abs(value - usual.median) >= kApartShare * std::abs(usual.median);
}

std::vector<UsualValue> usualOfPeers(const RankPlaces& places, const std::vector<double>& values) {
    std::map<std::uint32_t, std::vector<double>> cohorts;
    for (std::size_t r = 0; r < places.ranks.size(); ++r) cohorts[places.cohortOf(r)].push_back(values[r]);
    std::map<std::uint32_t, UsualValue> usual;
    for (const auto& [cohort, members] : cohorts) usual[cohort] = usualOf(members);
    std::vector<UsualValue> found;
    for (std::size_t r = 0; r < places.ranks.size(); ++r) found.push_back(usual[places.cohortOf(r)]);
    return found;
}

std::vector<DimensionSpread> dimensionSpreads(const RankPlaces& places, const std::vector<double>& values,
                                              RankFold fold) {
    std::vector<DimensionSpread> spreads;
    for (const RankGrouping& grouping : places.groupings) {
        DimensionSpread spread;
        spread.dimension = grouping.dimension;
        // Of groups along the pipeline each has all stages.
        const bool isOfStages = spread.dimension.kind == "pp";
        std::map<std::uint32_t, std::vector<DimensionSpread::Part>> cohorts;
        double widest = -1;
        for (const auto& members : grouping.members()) {
            DimensionSpread::Part part = partOf(members, values, fold);
            if (part.ranks.empty()) continue;
            ++spread.groups;
            const auto [low, high] =
                std::minmax_element(part.ranks.begin(), part.ranks.end(),
                                    [&](std::uint32_t a, std::uint32_t b) { return values[a] < values[b]; });
            if (values[*high] - values[*low] > widest) {
                widest = values[*high] - values[*low];
                spread.widest = {part.ranks, widest};
            }
            cohorts[isOfStages ? 0 : places.cohortOf(members.front())].push_back(std::move(part));
        }
        double most = -std::numeric_limits<double>::infinity();
        for (const auto& [cohort, parts] : cohorts) {
            std::vector<double> ofGroups;
            for (const DimensionSpread::Part& part : parts) ofGroups.push_back(part.value);
            const UsualValue usual = usualOf(ofGroups);
            for (const DimensionSpread::Part& part : parts) {
                if (part.value - usual.median <= most) continue;
                most = part.value - usual.median;
                spread.slowest = part;
                spread.medianGroup = usual.median;
                spread.groupZ = usual.robustZ(part.value);
            }
        }
        addPlaces(grouping, values, spread);
        if (spread.groups > 0) spreads.push_back(std::move(spread));
    }
    return spreads;
}

}  // namespace altiscope
