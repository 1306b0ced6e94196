#pragma once

#include "core/compare/comparison.h"
#include "core/compare/measures.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <set>

namespace altiscope {

/// Measures of a side.
struct MeasuredSide {
    const CaptureStore* capture = nullptr;
    std::size_t steps = 0, ranks = 0;
    std::set<std::int64_t> rankIds;
    std::unique_ptr<const MeasuredPart> part;
    std::unique_ptr<Measures> measures;

    bool hasRank(const MeasureKey& key) const { return !key.rankId || rankIds.contains(*key.rankId); }
};

/// Fills the differences of a comparison, its step, and what is significant. @return False if cancelled.
bool addDifferences(const MeasuredSide& base, const MeasuredSide& current, Comparison& comparison,
                    const CancelToken& cancel);

}  // namespace altiscope
