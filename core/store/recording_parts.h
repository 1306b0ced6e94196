#pragma once

#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <optional>
#include <string_view>

namespace altiscope {

/// First to last of the times in a column of a table; nullopt if there are none. O(blocks of rows).
std::optional<TimeRange> rowTimes(const RowTable& table, std::string_view column);

/// First to last of the times that may share a clock (mayShareClock), where most of them do; of equally many the times
/// of day. A time that was never set does not count. O(blocks of rows); O(rows) where there is such a time.
std::optional<TimeRange> usualTimes(const RowTable& table, std::string_view column);

/// The column of a kind by which its rows stand in time: "ts", of allocations "alloc_ts"; empty for kinds without.
std::string_view timeColumn(RowKind kind);

/// Whether the rows of a kind and the timeline of a rank are of different recordings that were put into one folder:
/// their times have nothing in common, and no row is a slice. Never for a timeline that has no events. Nothing may be
/// computed from both together. Source: core/import/scan/FORMAT.md section 5.
/// O(blocks of rows).
bool isOfAnotherRecording(const RankEntry& rank, RowKind kind);

/// Whether a timeline has slices on tracks of a device. Then kernels that a file has beyond its ends are not computed
/// with: nothing else is known of that time, as the timeline was cut or the file holds several recordings. O(tracks).
bool showsDevice(const TraceStore& trace);

/// The rows of kernels that may be computed with: null if there are none, or they are of another recording than the
/// timeline.
const RowTable* kernelsOfTimeline(const RankEntry& rank);

}  // namespace altiscope
