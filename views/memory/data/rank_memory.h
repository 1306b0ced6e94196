#pragma once

#include "core/analysis/communication/absent_ranks.h"
#include "core/analysis/memory/memory_peaks.h"
#include "core/analysis/memory/memory_reach.h"
#include "core/analysis/memory/memory_series.h"
#include "core/analysis/memory/static_memory.h"
#include "core/base/values/cancel.h"
#include "core/tables/scope/context_filter.h"

#include <QStringList>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Memory of one rank, as the page shows it. Constant; made on a worker.
struct RankMemory {
    std::shared_ptr<const CaptureStore> capture;
    RankIndex rank{};
    bool byStream = false;
    MemorySeriesSet set;
    std::vector<StaticGraph> graphs;
    std::vector<ComponentPeak> peaks;  ///< Within the context's times: pools, then modules.
    std::optional<std::vector<TimeRange>> times;
    std::optional<MemoryPeakPoint> peak;          ///< Peak of the leading series within these times.
    std::shared_ptr<const MemorySeries> leading;  ///< Null without samples.
    MemoryReach reach;
    bool isOfAnotherRecording = false;  ///< Than the timeline: no time is common to both.
    std::uint64_t samples = 0, allocations = 0;
    AbsentRanks absent;  ///< Ranks that the capture lacks.

    const RankEntry& entry() const { return capture->ranks[rank.value]; }
};

/// Whether a rank has any memory data.
bool hasMemory(const RankEntry& rank);
/// The ranks that the context holds and that have it.
std::vector<RankIndex> ranksWithMemory(const CaptureStore& capture, const ContextFilter& context);

/// @param context  Of this capture, see ContextFilter::forCapture.
/// @return Null if cancelled. O(samples + allocations); parallel on the arena.
std::shared_ptr<const RankMemory> rankMemory(std::shared_ptr<const CaptureStore> capture, RankIndex rank, bool byStream,
                                             const ContextFilter& context, const CancelToken& cancel);

/// Missing data, and why it is missing: ranks of the context without memory data with the switch that records it, kinds
/// of data that are missing for the rank that is shown, and what a single sample cannot show. A sentence each;
/// translated.
QStringList memoryGaps(const CaptureStore& capture, const ContextFilter& context, const RankMemory* shown);

}  // namespace altiscope
