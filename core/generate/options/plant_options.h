#pragma once

#include "core/base/values/result.h"
#include "core/generate/support/run_conditions.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope::generate {

/// Reads the value of `--plant`: a fault with its values, e.g. "slow-rank=3:20".
/// @return Error generate.bad_plant {plant, expected}.
Result<Plant> parsePlant(const std::string& text);

/// "slow-rank", as truth.json names it.
std::string_view faultName(FaultKind kind);

/// "clock", as truth.json names it.
std::string_view slowPartName(SlowPart part);

/// Whether a run of so many ranks and layers can have all these faults.
/// @param steps  nullopt: not known yet, and steps are not checked.
/// @return Error generate.bad_plant if a rank does not exist, if two ranks exchange no data directly, if one rank alone
///         should communicate, if a fault begins after the last step, or if a fault that has no place of its own is
///         named twice.
Result<Done> checkPlants(const RunConditions& conditions, std::uint32_t ranks, std::uint32_t layers,
                         std::optional<std::uint32_t> steps);

}  // namespace altiscope::generate
