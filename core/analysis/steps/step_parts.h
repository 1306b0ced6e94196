#pragma once

#include "core/analysis/steps/step_breakdown.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace altiscope {

/// The parts of a step of a rank: the one definition for the overview, reports, comparisons, gates, findings and MCP.
/// All are times of the device in ns. Every ns between a step's first work and the next step's first work is in exactly
/// one of Computing, Exposed, Bubble and Free, which add up to Step. Preparing is none of them: meanwhile the device
/// works on the step before, or is free, which counts there.
enum class StepPart : std::uint8_t {
    Step,            ///< computing + exposed + bubble + free; unknown where one of them is.
    Computing,       ///< Kernels run.
    ComputingAlone,  ///< The part of computing beside which no collective runs.
    Overlapped,      ///< Kernels and collectives run at the same time: part of both computing and communication.
    Communication,   ///< Collectives run.
    Exposed,         ///< Collectives run alone (not overlapped), without the bubble.
    Bubble,          ///< Collectives run alone while the rank receives from another stage of its pipeline.
    Free,            ///< Nothing runs.
    Preparing,       ///< From the step's begin on the host to its first work on the device.
};
inline constexpr std::size_t kStepParts = 9;

/// What adds up to a step, in the order of bars; and the same with computing cut in two.
inline constexpr std::array kWholeStep{StepPart::Computing, StepPart::Exposed, StepPart::Bubble, StepPart::Free};
inline constexpr std::array kStackedStep{StepPart::ComputingAlone, StepPart::Overlapped, StepPart::Exposed,
                                         StepPart::Bubble, StepPart::Free};

struct StepPartInfo {
    StepPart part;
    std::string_view name;  ///< In gates, reports, comparisons and findings: "exposed_communication".
    std::string_view sql;   ///< Over the columns of a row of step_breakdown; NULL where it is not known.
};
/// All of them, in the order of the enumeration.
std::span<const StepPartInfo> stepParts();
const StepPartInfo& infoOf(StepPart part);
/// @return nullopt if no part has this name.
std::optional<StepPart> stepPartOf(std::string_view name);

/// The value of a part, ns; nullopt where the row does not state what it needs. What StepPartInfo::sql gives.
std::optional<std::int64_t> valueOf(const StepBreakdown& row, StepPart part);

/// Whether a part of a step, or the step, differs between two rows by more than a hundredth of it: not rounding (which
/// is some ns), but other events. Parts that one of them does not state are left out.
bool areDifferent(const StepBreakdown& a, const StepBreakdown& b);

}  // namespace altiscope
