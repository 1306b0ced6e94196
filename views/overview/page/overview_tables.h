#pragma once

#include "core/tables/overview/overview_numbers.h"
#include "core/tables/scope/context_filter.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

// The numbers of the overview as tables. Builders run on any thread; headings are translated texts of the GUI thread.

/// A step of a rank and device: indexes in OverviewNumbers::steps of what was recorded and what was computed of it.
struct StepOfRank {
    std::optional<std::size_t> recorded, computed;  ///< One of them at least.

    std::size_t shown() const { return recorded ? *recorded : *computed; }
    /// Computed - recorded, ns: of the step and what adds up to it the one that differs most; nullopt if there are not
    /// both.
    std::optional<std::int64_t> difference(const OverviewNumbers& numbers) const;
    /// By more than a hundredth of what was recorded: no rounding, but other events or other rules.
    bool isDifferent(const OverviewNumbers& numbers) const;
};
/// Those that the context holds, as the numbers have them: the rows of stepTable.
std::vector<StepOfRank> selectedSteps(const OverviewNumbers& numbers, const ContextFilter& context);
/// Indexes in OverviewNumbers::peaks, likewise: the rows of peakTable.
std::vector<std::size_t> selectedPeaks(const OverviewNumbers& numbers, const ContextFilter& context);

/// A row per step of a rank and device; all columns are those of the SQL table step_breakdown, or sums of them: as they
/// were recorded or else computed, and beside them the computed ones.
std::shared_ptr<const ColumnTable> stepTable(const OverviewNumbers& numbers, const std::vector<StepOfRank>& steps);
/// Columns of stepTable that a window shows only when the user wants them: what is computed of each part.
std::vector<std::size_t> computedPartColumns();
std::vector<ColumnHeading> stepHeadings();

/// A row per operator type, core and origin; over all ranks.
std::shared_ptr<const ColumnTable> consumerTable(const OverviewNumbers& numbers);
std::vector<ColumnHeading> consumerHeadings();

/// A row per rank and component that the context holds.
std::shared_ptr<const ColumnTable> peakTable(const OverviewNumbers& numbers, const ContextFilter& context);
std::vector<ColumnHeading> peakHeadings();

}  // namespace altiscope
