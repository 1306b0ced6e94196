#pragma once

#include "core/analysis/kernels/kernel_groups.h"
#include "core/analysis/slices/dispatch_chain.h"
#include "core/analysis/slices/slice_details.h"
#include "core/tables/scope/context_filter.h"
#include "core/tables/scope/rank_windows.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <QString>

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Kernels whose tasks are wanted: of a group, or one alone.
struct DispatchedKernels {
    std::shared_ptr<const KernelGroups> groups;  ///< Null: of all kernels, and tasks without any.
    std::size_t group = 0;                       ///< Index in KernelGroups::groups.
    std::optional<SliceRef> kernel{};            ///< Only the task of this one.

    bool isAll() const { return groups == nullptr && !kernel; }
    /// Percentiles make no difference.
    bool operator==(const DispatchedKernels& other) const;
};

/// Which dispatch chains are wanted: constant data for a worker.
struct DispatchQuery {
    CaptureId capture;
    std::shared_ptr<const CaptureStore> store;  ///< Null: nothing is shown.
    std::vector<RankWindow> ranks;              ///< And when a task has to lie in part; of ranks with a timeline.
    DispatchedKernels kernels;
    TimeNs origin;  ///< Where times count from.

    bool operator==(const DispatchQuery&) const = default;
};
/// All tasks of a scope; of nothing nothing. O(steps of the ranks * log).
DispatchQuery dispatchQuery(const Scope& scope);

/// Dispatch chains as the rows of a table.
struct DispatchRows {
    std::shared_ptr<const ColumnTable> table;  ///< Null if cancelled.
    struct Row {
        RankIndex rank{};
        Dispatch dispatch;
    };
    std::vector<Row> rows;
    std::size_t complete = 0, fallback = 0;
    bool hasQueue = false;  ///< Whether any task is there, in those times and of those kernels or not.
};

/// The column that rows are sorted by at first: when Python's call or the enqueuing began.
inline constexpr std::size_t kDispatchBegin = 4;

/// On a worker; parallel by rank. O(tasks * log slices).
DispatchRows dispatchRows(const DispatchQuery& query, const CancelToken& cancel);
/// In the present language.
std::vector<ColumnHeading> dispatchHeadings();

}  // namespace altiscope
