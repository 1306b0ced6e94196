#pragma once

#include "core/compare/comparison.h"

#include <optional>

namespace altiscope {

/// Compares recordings of the same ranks by name, each by itself: roles of a job with its own numbers each, repeated
/// windows. Those that cannot be compared are left out as long as one can.
/// @return nullopt where not both sides hold several of the chosen ranks, or none has the same name on both.
/// @note  As compareSides(), for each recording.
std::optional<Result<Comparison>> compareRoles(const ComparisonSide& base, const ComparisonSide& current,
                                               const CancelToken& cancel);

}  // namespace altiscope
