#pragma once

#include "core/analysis/dispatch_chain.h"
#include "core/analysis/slice_details.h"
#include "core/session/column_table.h"
#include "core/session/context_filter.h"
#include "views/common/heading_model.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// What dispatch chains are asked for: constant data for a worker.
struct DispatchQuestion {
    std::uint32_t capture = 0;                 ///< OpenCapture::id
    std::shared_ptr<const CaptureStore> store; ///< Null: nothing is shown.
    std::vector<std::uint32_t> ranks;          ///< In CaptureStore::ranks.
    /// Of each of them the times in which a task has to lie in part, on its own clock, by begin and disjoint; nullopt: all.
    std::vector<std::optional<std::vector<TimeRange>>> times;
    TimeNs origin;                             ///< Where times count from.

    bool operator==(const DispatchQuestion&) const = default;
};

/// Dispatch chains as the rows of a table.
struct DispatchRows {
    std::shared_ptr<const ColumnTable> table;  ///< Null if cancelled.
    struct Row {
        std::uint32_t rank = 0;
        Dispatch dispatch;
    };
    std::vector<Row> rows;
    std::size_t complete = 0, fallback = 0;
    bool hasQueue = false;  ///< Whether any task is there, in those times or not.
};

/// The column that rows are sorted by at first: when Python's call or the enqueuing began.
inline constexpr std::size_t kDispatchBegin = 4;

/// On a worker; O(tasks * log slices).
DispatchRows dispatchRows(const DispatchQuestion& question, const CancelToken& cancel);
/// In the present language.
std::vector<ColumnHeading> dispatchHeadings();

}  // namespace altiscope
