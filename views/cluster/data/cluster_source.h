#pragma once

#include "core/analysis/capture_analysis.h"
#include "core/analysis/collectives/clock_alignment.h"
#include "core/analysis/communication/absent_ranks.h"
#include "core/analysis/communication/group_delays.h"
#include "core/analysis/communication/parallel_groups.h"
#include "core/base/values/cancel.h"
#include "core/tables/overview/overview_numbers.h"
#include "core/tables/scope/context_filter.h"
#include "views/cluster/data/rank_grid.h"
#include "views/cluster/data/rank_numbers.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What the page Cluster shows of a capture whatever the context is. Constant; made on a worker.
struct ClusterJob {
    std::shared_ptr<const CaptureStore> capture;
    std::shared_ptr<const CaptureFacts> facts;
    OverviewNumbers steps;  ///< Their times alone.
    /// Rows of collectives that count for a rank, as CaptureStore::ranks; null: none.
    std::vector<std::shared_ptr<const RowTables>> collectives;
    std::shared_ptr<const GroupArrivals> arrivals;  ///< From these rows.
    /// Passes of micro-batches by rank, and the clocks of the ranks where there are any; empty: they are not known.
    std::shared_ptr<const std::vector<std::vector<PipelineBlock>>> pipeline;
    std::vector<RankClock> clocks;
    RankPlaces places;
    bool arePlacesComputed = false;      ///< They follow from sizes and the usual order; nothing states them.
    std::optional<ParallelSizes> typed;  ///< They follow from these, which the user gave.
};

/// The same within the context. Constant; made on a worker.
struct ClusterSource {
    std::shared_ptr<const ClusterJob> job;
    ContextFilter context;                           ///< Of this capture.
    std::vector<RankNumbers> numbers;                ///< As CaptureStore::ranks.
    std::vector<std::optional<std::int64_t>> steps;  ///< Counted ones of any rank, ascending.
    std::size_t doubtful = 0;                        ///< CountedSteps::doubtful
    std::size_t absent = 0;                          ///< Ranks of places() that the capture has nothing of.
    std::vector<GroupDelays> delays;                 ///< By group, those with the largest delay first.

    const std::shared_ptr<const CaptureStore>& capture() const { return job->capture; }
    const std::shared_ptr<const CaptureFacts>& facts() const { return job->facts; }
    const RankPlaces& places() const { return job->places; }
    bool arePlacesComputed() const { return job->arePlacesComputed; }
    /// Values of a metric by index in places().ranks; NaN: not known.
    std::vector<double> values(RankMetric metric) const;
    /// Whether any rank has a value.
    bool has(RankMetric metric) const;
};

/// The job of a capture has as many ranks at least: one more than the highest number. O(ranks).
std::int64_t minRanks(const CaptureStore& capture);

/// The places of ranks by what the capture states. O(ranks * log).
RankPlaces rankPlaces(const CaptureStore& capture, const ParallelLayout& layout, const AbsentRanks& absent);

/// @param typed  Sizes of the job in place of what the capture states; problemOf() finds nothing wrong with them.
/// @return Null if cancelled. As long as CaptureAnalysis takes for what it has not computed yet; parallel on the arena.
std::shared_ptr<const ClusterJob> clusterJob(const std::shared_ptr<const CaptureStore>& capture,
                                             const CaptureAnalysis& analysis, const std::optional<ParallelSizes>& typed,
                                             const CancelToken& cancel);

/// @param context  Of the capture of the job, see ContextFilter::forCapture.
/// @return Null if cancelled. O(steps + collectives * log); parallel on the arena.
std::shared_ptr<const ClusterSource> clusterSource(std::shared_ptr<const ClusterJob> job, const ContextFilter& context,
                                                   const CancelToken& cancel);

}  // namespace altiscope
