#pragma once

#include "core/analysis/slices/slice_selection.h"
#include "core/analysis/support/duration_spread.h"
#include "core/base/values/result.h"

#include <cstdint>
#include <functional>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// What some of the selected slices amount to, in ns.
///
/// A slice that crosses the border of the range is counted whole, once, and counted in `cut` too. What says where time
/// went (together, sum, self) is the part of it within the range; what says how long slices are (total, min,
/// max, average and percentiles) goes by its whole length, of which a part would say nothing. Without cut slices
/// sum == total.
struct SliceSums {
    std::uint64_t count = 0;
    std::uint64_t cut = 0;      ///< Of these, slices that reach beyond the range.
    std::int64_t together = 0;  ///< Time within the range in which any of them runs: their union.
    std::int64_t sum = 0;       ///< Their time within the range, one by one: nested and parallel slices count twice.
    std::int64_t self = 0;      ///< `sum` without the time of direct children, selected or not.
    std::int64_t total = 0;     ///< Whole lengths.
    std::int64_t min = 0, max = 0;
    std::optional<DurationPercentiles> percentiles;

    double average() const { return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count); }
};

/// The selected slices of one name, of one track, of one rank.
struct NameSums {
    std::string_view name;  ///< Text of a store of the capture.
    SliceSums sums;
};
struct TrackSums {
    RankIndex rank{};
    TrackIndex track;
    SliceSums sums;
};
struct RankSums {
    RankIndex rank{};
    SliceSums sums;
};

/// Constant. Groups without slices are left out.
struct SelectionStatistics {
    std::shared_ptr<const CaptureStore> capture;  ///< Keeps the names.
    SliceSums all;                                ///< Ranks are put together on the axis.
    std::vector<NameSums> names;                  ///< Most time (sum) first, then by name; over all ranks.
    std::vector<TrackSums> tracks;                ///< As selected.
    std::vector<RankSums> ranks;                  ///< As selected.
    std::vector<DurationBucket> histogram;        ///< Of all; empty in the first result.
    bool complete = false;  ///< Else percentiles, the histogram and `together` of names are still missing.
};

/// @param sumsReady  Called once with what is known after about half the time; not after a cancel. May be empty.
/// @return Everything, or Cancelled.
/// @note   Any thread; parallel on the arena; polls every few ms. O(slices of the selected tracks within the range), 40
///         bytes of memory for each at its peak.
Result<SelectionStatistics> selectionStatistics(const SliceSelection& selection,
                                                const std::function<void(const SelectionStatistics&)>& sumsReady,
                                                const CancelToken& cancel);

}  // namespace altiscope
