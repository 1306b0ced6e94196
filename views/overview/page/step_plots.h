#pragma once

#include "core/tables/overview/overview_numbers.h"
#include "core/tables/scope/context_filter.h"
#include "views/common/plots/plot_data.h"

#include <compare>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Whose step a bar or row of a plot shows.
struct StepOwner {
    RankIndex rank{};
    std::optional<std::int64_t> device;  ///< Only of a rank with several devices.

    auto operator<=>(const StepOwner&) const = default;
};

/// The steps that a plot is made of, one per rank (or device of a rank with several) and step: those that reports,
/// comparisons, gates and findings count (readStepTimes), computed from the events where a rank has any.
struct StepSheet {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<StepTime> times;
    std::vector<StepOwner> ranks;                    ///< That have any, in order.
    std::vector<std::optional<std::int64_t>> steps;  ///< In order.
    std::size_t doubtful = 0;  ///< Of steps that are left out, since their events are not all of them.
};

/// What the context holds. Rows without a step count for ranks that have no other. O(rows · log).
StepSheet stepSheet(const OverviewNumbers& numbers, const ContextFilter& context);

/// Means over steps, a bar per rank; means over ranks, a bar per step; of one rank, a bar per step.
StackedBars barsByRank(const StepSheet& sheet);
StackedBars barsByStep(const StepSheet& sheet);
/// The phases that devices mark in a step (OverviewNumbers::phases), means over ranks, a bar per step; right of it one
/// of the time in which reduces run, for at most kMaxPairs steps: they are no part of the step. Empty: there are none.
StackedBars phasesByStep(const OverviewNumbers& numbers, const ContextFilter& context);
/// The parts of a step beside those of a base, two bars each: first the mean, as compare has it (of each step the mean
/// over its ranks, of these the mean over the steps), then by rank or step. Ranks and steps of one number belong
/// together; where none is the same, the first to the first. The first kMaxPairs only.
inline constexpr std::size_t kMaxPairs = 60;
StackedBars ranksBesideBase(const StepSheet& sheet, const StepSheet& base, const QString& baseTitle);
StackedBars stepsBesideBase(const StepSheet& sheet, const StepSheet& base, const QString& baseTitle);
/// The time of a step over the steps: mean over ranks, with the min and max rank.
EnvelopeLine variationOverSteps(const StepSheet& sheet);
/// The time of each rank and step.
HeatMap heatOfRanksAndSteps(const StepSheet& sheet);
/// How the times of its steps spread, a box per rank.
BoxPlot boxesByRank(const StepSheet& sheet);
/// How the times of the steps of all ranks spread.
Histogram histogramOfSteps(const StepSheet& sheet);
/// How long single kernels of an operator type take.
Histogram histogramOfKernels(const QString& type, const std::vector<std::int64_t>& durations);

}  // namespace altiscope
