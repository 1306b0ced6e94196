#pragma once

#include "core/base/values/ids.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <cstdint>
#include <optional>

namespace altiscope {

/// Where a row of a result leads in the timeline: a slice, or a time of a rank.
struct RowPlace {
    std::optional<SliceId> slice;
    RankIndex rank{};  ///< Without a slice.
    TimeRange range;
};

/// By the names of the columns: slice_id, or else ts with dur (start_ts with end_ts) and track_id or rank_id; of a
/// capture with one rank times alone will do. nullopt if the row says neither.
/// @note Any thread; O(ranks · tracks).
std::optional<RowPlace> placeOfRow(const CaptureStore& capture, const TableSource& table, std::size_t row);

/// Whether rows of the table may lead anywhere, by its columns.
bool leadsToPlaces(const TableSource& table);

}  // namespace altiscope
