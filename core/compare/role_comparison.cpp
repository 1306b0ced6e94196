#include "core/compare/role_comparison.h"

#include "core/analysis/support/recordings.h"

#include <algorithm>
#include <map>
#include <set>
#include <utility>

namespace altiscope {

namespace {

/// The recordings of the chosen ranks, by name, each as a capture of its own.
using Parts = std::map<std::string, std::shared_ptr<const CaptureStore>>;

Parts partsOf(const ComparisonSide& side) {
    const Recordings all = recordingsOf(*side.capture);
    Parts parts;
    for (std::uint32_t number = 0; number < all.names.size(); ++number) {
        auto part = std::make_shared<CaptureStore>(*side.capture);
        std::size_t r = 0;
        std::erase_if(part->ranks, [&](const RankEntry& rank) {
            return all.ofRank[r++] != number || !isChosen(side.ranks, rank.info.rankId);
        });
        if (!part->ranks.empty()) parts.emplace(all.names[number], std::move(part));
    }
    return parts;
}

Result<Comparison> compareParts(const std::shared_ptr<const CaptureStore>& base, const ComparisonSide& baseSide,
                                const std::shared_ptr<const CaptureStore>& current, const ComparisonSide& currentSide,
                                const CancelToken& cancel) {
    const QueryDatabase first(base), second(current);
    return compareSides({base, &first, baseSide.ranks, baseSide.steps},
                        {current, &second, currentSide.ranks, currentSide.steps}, cancel);
}

/// The time of a step of a role. Of several looked at together each gets its part of the rate.
Difference differenceOf(const RoleComparison& role, std::size_t roles) {
    Difference difference{.dimension = Dimension::Role, .key = role.name, .rankId = {}, .change = {}};
    difference.change = *role.comparison->step;
    const double probability = role.comparison->stepProbability.value_or(1) * static_cast<double>(roles);
    difference.change.significant = difference.change.significant && probability <= kFalseRate / 5;
    return difference;
}

std::int64_t sizeOfStep(const RoleComparison& role) {
    return role.comparison->step ? sizeOf(*role.comparison->step) : -1;
}

/// Adds ranks and steps of all recordings of a side.
void addSizes(const ComparisonSide& side, std::size_t& ranks, std::size_t& steps, const Comparison& of, bool isBase) {
    std::set<std::int64_t> numbers;
    for (const RankEntry& rank : side.capture->ranks)
        if (rank.info.rankId && isChosen(side.ranks, rank.info.rankId)) numbers.insert(*rank.info.rankId);
    ranks = numbers.size();
    steps = std::max(steps, isBase ? of.baseSteps : of.currentSteps);
}

}  // namespace

std::optional<Result<Comparison>> compareRoles(const ComparisonSide& base, const ComparisonSide& current,
                                               const CancelToken& cancel) {
    if (!severalRecordings(base) || !severalRecordings(current)) return std::nullopt;
    const Parts first = partsOf(base), second = partsOf(current);
    Comparison comparison;
    comparison.base = base.capture->path;
    comparison.current = current.capture->path;
    comparison.isOneCapture = base.capture == current.capture;
    std::optional<Error> problem;
    for (const auto& [name, part] : first) {
        const auto other = second.find(name);
        if (other == second.end()) {
            comparison.currentLacks.push_back(name);
            continue;
        }
        auto compared = compareParts(part, base, other->second, current, cancel);
        if (compared.cancelled()) return Result<Comparison>(Cancelled{});
        if (compared.failed()) {
            problem = compared.error();
            continue;
        }
        Comparison ofRole = std::move(compared).value();
        ofRole.isOneCapture = comparison.isOneCapture;
        addSizes(base, comparison.baseRanks, comparison.baseSteps, ofRole, true);
        addSizes(current, comparison.currentRanks, comparison.currentSteps, ofRole, false);
        comparison.roles.push_back({name, std::make_shared<const Comparison>(std::move(ofRole))});
    }
    if (comparison.roles.empty()) return problem ? std::optional(Result<Comparison>(*problem)) : std::nullopt;
    for (const auto& [name, part] : second)
        if (!first.contains(name)) comparison.baseLacks.push_back(name);
    std::stable_sort(comparison.roles.begin(), comparison.roles.end(),
                     [](const auto& a, const auto& b) { return sizeOfStep(a) > sizeOfStep(b); });
    for (const RoleComparison& role : comparison.roles) {
        if (!role.comparison->step || role.comparison->step->change == 0) continue;
        comparison.differences.push_back(differenceOf(role, comparison.roles.size()));
        if (comparison.differences.back().change.significant) ++comparison.significant;
    }
    return Result<Comparison>(std::move(comparison));
}

}  // namespace altiscope
