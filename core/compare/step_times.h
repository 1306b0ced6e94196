#pragma once

#include "core/analysis/steps/step_parts.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/query/database.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

namespace altiscope {

/// Where the time of one step of one rank went, in ns; nullopt where its source does not state it.
struct StepTimes {
    std::optional<std::int64_t> rankId, step;
    std::optional<std::int64_t> device;  ///< One of several that the rank recorded; nullopt where it recorded one.
    std::array<std::optional<std::int64_t>, kStepParts> parts{};  ///< By StepPart.
    /// Its events are not all of it (StepUse::NoKernels, Differs), so no part is known.
    bool isDoubtful = false;

    std::optional<std::int64_t> part(StepPart which) const { return parts[static_cast<std::size_t>(which)]; }
    std::optional<std::int64_t> time() const { return part(StepPart::Step); }
};

/// The rows of `step_breakdown` that count (StepUse), by rank and step.
/// @return Error as QueryDatabase::run.
/// @note  Any thread; parallel on the arena. The first call computes the rows (seconds for many ranks).
Result<std::vector<StepTimes>> readStepTimes(const QueryDatabase& database, const CancelToken& cancel);

}  // namespace altiscope
