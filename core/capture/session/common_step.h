#pragma once

#include "core/capture/methods/method.h"

#include <cstdint>
#include <optional>
#include <span>

namespace altiscope::capture {

/// Steps of a job on one host, as far as they are known.
struct StepSight {
    std::optional<std::int64_t> step;   ///< The last one that is known; nullopt: nothing says it.
    std::int64_t gap = 1;               ///< Steps that may have passed since without a word.
    std::optional<double> stepSeconds;  ///< Time of a step, measured, or its least.
    bool isReadable = false;            ///< There is an output that may say it.
    std::optional<std::int64_t> poll;   ///< Seconds between two looks of the tool, as its own log says.
};

/// A step that no host has reached when all of them know of it.
struct CommonStep {
    std::int64_t step = 0;
    std::int64_t seen = 0;   ///< The highest one on all hosts.
    std::int64_t polls = 0;  ///< Seconds that the tool may take to look.
    std::int64_t steps = 0;  ///< Steps that may pass in that time and the writing.
};

/// The highest step of all hosts, and the steps that pass until the last tool has looked: its poll period and `spread`
/// over the time of a step, which is taken as less than was measured, as steps differ. Two more are the margin: a
/// step that is under way on each side.
///
/// Where no log says how often a tool looks it follows from the method: torch_npu looks every `first` seconds, and from
/// its 11th step on as often as the 10th took, within [min, max].
///
/// @param spread  Seconds from the look at the steps until all configurations stand.
/// @return nullopt where no host's steps are known. A pure function.
std::optional<CommonStep> commonStep(std::span<const StepSight> sights, const PollPeriod& period, double spread);

}  // namespace altiscope::capture
