#pragma once

#include "core/analysis/steps/device_activity.h"
#include "core/analysis/steps/step_breakdown.h"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace altiscope {

/// Whether a row of `step_breakdown` is a part of means, or why not: the one definition for reports, gates, comparisons
/// and findings.
enum class StepUse : std::uint8_t {
    Counts,
    OtherOrigin,  ///< Rows that are computed from the events count, where a rank has any.
    OtherDevice,  ///< Of a rank that recorded several devices the one counts that works the longest in all.
    NoStep,       ///< Of no step, where the rank has steps.
    NoKernels,    ///< StepSpan::lacksKernels: the device did more than its timeline shows.
    Differs       ///< areDifferent(): recorded and computed times are not those of the same events.
};
/// Empty for Counts, else the word of the column left_out: "origin", "device", "no_step", "no_kernels", "differs".
std::string_view stepUseName(StepUse use);

/// Looks at a computed row that would count otherwise.
/// @return Counts, NoKernels or Differs.
/// @param recorded  The row of the same step that the profiler recorded; null: none.
StepUse soundnessOf(const StepBreakdown& computed, const StepBreakdown* recorded, bool lacksKernels);

/// By row.
struct StepUses {
    std::vector<StepUse> computed, recorded;
};
/// @param computed, recorded  All rows of a rank.
/// @param spans  Its steps; those of `computed`.
/// @note  O(rows * log).
StepUses stepUses(std::span<const StepBreakdown> computed, std::span<const StepBreakdown> recorded,
                  std::span<const StepSpan> spans);

}  // namespace altiscope
