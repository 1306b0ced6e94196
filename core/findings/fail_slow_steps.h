#pragma once

#include "core/findings/rule_support.h"

#include "core/analysis/steps/level_changes.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// The steps of a rank whose time is known.
struct TimedSteps {
    std::vector<std::size_t> places;  ///< In RankFacts::steps.
    std::vector<double> times;        ///< ns
};
TimedSteps timedSteps(const RankFacts& rank);

/// A slow stretch on one rank.
struct Sighting {
    RankIndex rank{};
    std::vector<std::size_t> slow, usual;  ///< Places in RankFacts::steps.
    std::int64_t first = 0, last = 0;      ///< Numbers of steps.
    double level = 0, usualLevel = 0;      ///< ns
    std::size_t unusual = 0;               ///< Steps of the rank that are not at the usual level, here or elsewhere.
    bool begins = false;                   ///< Too few usual steps come before it to hold a level.
    bool lasts = false;                    ///< To the last of the rank's steps.
    double growth() const { return level - usualLevel; }
    std::int64_t sharedSteps(const Sighting& other) const;
};

/// All slow stretches of a rank, by step. O(steps^2).
std::vector<Sighting> sightingsOf(const RankFacts& rank, RankIndex r, const FindingThresholds& thresholds);

/// Median of a value over some steps, less that over others.
template <class Value>
double medianGrowth(const Sighting& seen, Value valueAt) {
    const auto middle = [&](const std::vector<std::size_t>& places) {
        std::vector<double> values;
        for (const std::size_t place : places) values.push_back(valueAt(place));
        return values.empty() ? 0 : median(std::move(values));
    };
    return middle(seen.slow) - middle(seen.usual);
}

/// Mean frequency of those steps that ran a kernel, MHz; 0: none did, or it is not recorded.
double meanMhz(const RankFacts& rank, const std::vector<std::size_t>& places);

/// The kernels of a rank in the slow steps, against the usual ones.
struct KernelGrowth {
    double time = 0;      ///< ns a step that the same kernels take longer.
    double work = 0;      ///< ns a step that there is more to do.
    double share = 0;     ///< `time` of what they would take.
    double together = 0;  ///< Share of their time that belongs to types which are slower by half of `share` at least.
    std::map<std::string, double, std::less<>> byType;  ///< ns a step.
};
KernelGrowth kernelGrowth(const RankFacts& rank, const Sighting& seen);

/// The account of a step, where there is one.
class AccountSteps {
public:
    AccountSteps(const RuleContext& context, RankIndex rank);
    const StepAccount* at(std::size_t place) const;  ///< @param place  In RankFacts::steps.
    bool hasAll(const Sighting& seen) const;
    bool hasLaunches() const { return m_hasLaunches; }

private:
    const RankFacts& m_facts;
    std::map<std::int64_t, const StepAccount*> m_byStep;
    bool m_hasLaunches = false;
};

}  // namespace altiscope
