#include "core/findings/fail_slow_steps.h"

#include <algorithm>
#include <tuple>

namespace altiscope {

namespace {

double sumAt(const std::vector<double>& values, const std::vector<std::size_t>& places) {
    double sum = 0;
    for (const std::size_t place : places) sum += place < values.size() ? values[place] : 0;
    return sum;
}

/// By what the same kernels take longer in the slow steps than in the usual ones: 0.2 is a fifth. nullopt: not there.
std::optional<double> slowdownOf(const KernelPace& pace, const Sighting& seen) {
    const double slow = sumAt(pace.usual, seen.slow), usual = sumAt(pace.usual, seen.usual);
    const double before = sumAt(pace.time, seen.usual);
    if (slow <= 0 || usual <= 0 || before <= 0) return std::nullopt;
    return sumAt(pace.time, seen.slow) / slow / (before / usual) - 1;
}

}  // namespace

TimedSteps timedSteps(const RankFacts& rank) {
    TimedSteps timed;
    for (std::size_t i = 0; i < rank.steps.size(); ++i) {
        const StepFacts& step = rank.steps[i];
        if (!step.step || step.endToEnd() <= 0) continue;
        timed.places.push_back(i);
        timed.times.push_back(static_cast<double>(step.endToEnd()));
    }
    return timed;
}

std::int64_t Sighting::sharedSteps(const Sighting& other) const {
    return std::max<std::int64_t>(0, std::min(last, other.last) - std::max(first, other.first) + 1);
}

std::vector<Sighting> sightingsOf(const RankFacts& rank, RankIndex r, const FindingThresholds& thresholds) {
    const TimedSteps timed = timedSteps(rank);
    const LevelChanges changes = levelChanges(timed.times, thresholds.outlierZ, thresholds.kernelSavingShare);
    std::vector<Sighting> found;
    for (const SlowStretch& stretch : changes.stretches) {
        Sighting seen;
        seen.rank = r;
        std::size_t before = 0;
        for (std::size_t i = 0; i < timed.places.size(); ++i) {
            seen.unusual += changes.isUsual[i] ? 0 : 1;
            before += changes.isUsual[i] && i < stretch.first ? 1 : 0;
            if (stretch.first <= i && i < stretch.end) seen.slow.push_back(timed.places[i]);
            else if (changes.isUsual[i]) seen.usual.push_back(timed.places[i]);
        }
        seen.first = *rank.steps[seen.slow.front()].step;
        seen.last = *rank.steps[seen.slow.back()].step;
        seen.level = stretch.level;
        seen.usualLevel = changes.usual;
        seen.begins = before < kShortestLevel;
        seen.lasts = stretch.end == timed.places.size();
        found.push_back(std::move(seen));
    }
    return found;
}

double meanMhz(const RankFacts& rank, const std::vector<std::size_t>& places) {
    double sum = 0;
    std::size_t count = 0;
    for (const std::size_t place : places) {
        if (place >= rank.mhzBySteps.size() || rank.mhzBySteps[place] <= 0) continue;
        sum += rank.mhzBySteps[place];
        ++count;
    }
    return count == 0 ? 0 : sum / static_cast<double>(count);
}

KernelGrowth kernelGrowth(const RankFacts& rank, const Sighting& seen) {
    KernelGrowth growth;
    const auto slowSteps = static_cast<double>(seen.slow.size()), usualSteps = static_cast<double>(seen.usual.size());
    double expected = 0;
    std::vector<std::tuple<double, double>> types;  // slowdown, time
    for (const KernelPace& pace : rank.paces) {
        const std::optional<double> slowdown = slowdownOf(pace, seen);
        const double time = sumAt(pace.time, seen.slow) / slowSteps, before = sumAt(pace.time, seen.usual) / usualSteps;
        if (!slowdown) {
            growth.work += time - before;
            continue;
        }
        const double alike = time / (1 + *slowdown);
        growth.time += time - alike;
        growth.work += alike - before;
        expected += alike;
        growth.byType[pace.type.empty() ? std::string("...") : pace.type] = time - alike;
        types.emplace_back(*slowdown, time);
    }
    if (expected <= 0) return growth;
    growth.share = growth.time / expected;
    double all = 0;
    for (const auto& [slowdown, time] : types) {
        all += time;
        if (slowdown >= growth.share / 2) growth.together += time;
    }
    growth.together = all > 0 ? growth.together / all : 0;
    return growth;
}

AccountSteps::AccountSteps(const RuleContext& context, RankIndex rank) : m_facts(context.facts.ranks[rank.value]) {
    if (context.facts.account == nullptr || rank.value >= context.facts.account->ranks.size()) return;
    for (const StepAccount& step : context.facts.account->ranks[rank.value].steps) {
        if (step.step) m_byStep.emplace(*step.step, &step);
    }
    m_hasLaunches = context.facts.account->ranks[rank.value].hasLaunches;
}

const StepAccount* AccountSteps::at(std::size_t place) const {
    const auto found = m_byStep.find(*m_facts.steps[place].step);
    return found == m_byStep.end() ? nullptr : found->second;
}

bool AccountSteps::hasAll(const Sighting& seen) const {
    const auto isThere = [&](std::size_t place) { return at(place) != nullptr; };
    return std::all_of(seen.slow.begin(), seen.slow.end(), isThere) &&
           std::all_of(seen.usual.begin(), seen.usual.end(), isThere);
}

}  // namespace altiscope
