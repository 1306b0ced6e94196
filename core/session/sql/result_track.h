#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"
#include "core/tables/sources/table_source.h"

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope {

/// A result as slices of a timeline.
struct ResultTrack {
    /// Rows beyond them are left out: a slice takes about 60 bytes.
    static constexpr std::size_t kMaxSlices = 1'000'000;

    /// The ranks of the capture, those with rows with a trace that holds them; null: cancelled, or no row is a slice.
    std::shared_ptr<const CaptureStore> store;
    std::size_t slices = 0;
    std::size_t omitted = 0;   ///< Rows beyond kMaxSlices.
    std::size_t unplaced = 0;  ///< Rows without a time, with a length below 0, or of a rank that the capture lacks.
};

/// Whether the columns of a result say when something was: ts with dur, or start_ts with end_ts.
bool canBeTrack(const TableSource& table);

/// Makes slices of the rows: exact times on the clock of the rank that the row names by track_id or rank_id; of a
/// capture with one rank, and without these columns, that one's. Named by the column name, else by the first text of
/// the row. Overlapping slices lie below each other.
/// @param title  Of the track.
/// @note  A worker; parallel on the arena. O(rows * log).
ResultTrack resultTrack(const CaptureStore& capture, const TableSource& table, std::string_view title,
                        const CancelToken& cancel);

}  // namespace altiscope
