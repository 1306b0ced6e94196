#pragma once

#include "core/analysis/memory/memory_series.h"
#include "core/base/values/cancel.h"
#include "views/common/pages/page_base.h"
#include "views/memory/data/curve_envelopes.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

struct RankMemory;

/// Memory of a rank of the base, to be drawn over that of the rank that is shown. Constant; made on a worker.
struct MemoryBase {
    QString title;  ///< Title of the base, with its rank if that is another one.
    MemorySeriesSet set;
    DurationNs shift;  ///< Time as drawn = recorded time + this.
    /// Steps that begin at once so; nullopt: the first samples do, as no step has a time on both sides.
    struct Steps {
        std::int64_t shown = 0, base = 0;
    };
    std::optional<Steps> steps;
};

/// The rank of a base that is set beside a rank, by its number; else the first one with memory. nullopt: none
/// has any.
std::optional<RankIndex> baseRank(const PageBase& base, const CaptureStore& shown, RankIndex rank);

/// Aligned by the first step that both sides are to show: of equal numbers where the base has no steps of its own.
/// @param context  Of the capture that is shown.
/// @return Null if there is no memory, or if cancelled. O(samples).
std::shared_ptr<const MemoryBase> memoryBase(const PageBase& base, const RankMemory& shown,
                                             const ContextFilter& context, const CancelToken& cancel);

/// The lines of the base after those that are shown, in the hues of those of the same name.
std::vector<CurveLine> withBase(std::vector<CurveLine> lines, std::vector<CurveLine> base, DurationNs shift);
/// Text above the curves: whose the dashed ones are, and how they are aligned.
QString baseNote(const MemoryBase& base);

}  // namespace altiscope
