#pragma once

#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/compare/comparison.h"
#include "core/query/database.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// One side of a comparison as the page knows it: constant data for a worker.
struct ComparedSide {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;
    std::shared_ptr<const QueryDatabase> database;
    std::optional<std::vector<std::int64_t>> ranks, steps;  ///< Numbers, ascending; nullopt: all.

    bool operator==(const ComparedSide&) const = default;
};

/// compareSides() of both.
/// @note  Any thread; parallel on the arena.
Result<Comparison> compareThem(const ComparedSide& base, const ComparedSide& current, const CancelToken& cancel);

/// The longest slice of a name in the layer that a difference is about (host, CANN, device), of the chosen ranks, and
/// in the chosen steps where any is there; nullopt: none, or it was cancelled.
/// @param rankId  Only this rank; nullopt: all that are chosen.
/// @note  A worker. O(slices of the layer).
std::optional<SliceKey> longestSlice(const ComparedSide& side, Dimension dimension, std::string_view name,
                                     std::optional<std::int64_t> rankId, const CancelToken& cancel);

}  // namespace altiscope
