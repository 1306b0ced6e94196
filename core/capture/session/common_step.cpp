#include "core/capture/session/common_step.h"

#include <algorithm>
#include <cmath>

namespace altiscope::capture {

namespace {

/// Steps of the same job differ; one may take this part of what was measured, or the tenth may have taken that much
/// more.
constexpr double kStepFastest = 0.7, kStepSlowest = 1.5;
/// No training has shorter ones; keeps a job that prints without end from a step that is never reached.
constexpr double kStepShortest = 0.005;
constexpr std::int64_t kStepMargin = 2;
/// The tool measures the 10th of its steps, and looks accordingly from then on.
constexpr std::int64_t kMeasuredStep = 11;

}  // namespace

std::optional<CommonStep> commonStep(std::span<const StepSight> sights, const PollPeriod& period, double spread) {
    CommonStep common;
    bool isKnown = false;
    std::optional<double> shortest, longest;
    std::int64_t gap = 1, polls = 0;
    for (const StepSight& sight : sights) {
        if (sight.step) {
            isKnown = true;
            common.seen = std::max(common.seen, *sight.step);
            gap = std::max(gap, sight.gap);
        }
        if (sight.stepSeconds) {
            shortest = std::min(shortest.value_or(*sight.stepSeconds), *sight.stepSeconds);
            longest = std::max(longest.value_or(*sight.stepSeconds), *sight.stepSeconds);
        }
        polls = std::max(polls, sight.poll.value_or(0));
    }
    if (!isKnown) return std::nullopt;
    const bool isLogged =
        std::all_of(sights.begin(), sights.end(), [](const StepSight& s) { return s.poll || !s.step; });
    if (polls == 0 || !isLogged) {
        std::int64_t guess = period.max;
        if (longest && period.min < period.max)
            guess = std::clamp(static_cast<std::int64_t>(std::ceil(*longest * kStepSlowest)), period.min, period.max);
        if (common.seen < kMeasuredStep || period.min == period.max) guess = std::max(guess, period.first);
        polls = std::max(polls, guess);
    }
    // Where the tool looks once per step of two seconds and more, a step takes no less.
    double step = shortest                ? *shortest * kStepFastest
                  : polls > 1 && isLogged ? static_cast<double>(polls) * kStepFastest
                                          : 0;
    step = std::max(step, kStepShortest);
    common.polls = polls;
    common.steps = gap + static_cast<std::int64_t>(std::ceil((spread + static_cast<double>(polls)) / step));
    common.step = common.seen + common.steps + kStepMargin;
    return common;
}

}  // namespace altiscope::capture
