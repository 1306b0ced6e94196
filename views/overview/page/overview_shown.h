#pragma once

#include "core/tables/overview/overview_numbers.h"
#include "views/overview/page/overview_tables.h"
#include "views/overview/page/step_plots.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace altiscope {

/// What workers make of the numbers for the overview: its tables and all its plots. Constant.
struct OverviewShown {
    OverviewNumbers numbers;
    bool isWhole = false;  ///< With what we compute ourselves.
    StepSheet sheet;
    std::shared_ptr<const ColumnTable> steps, operators, peaks;
    std::vector<StepOfRank> stepRows;     ///< Rows of the table of steps.
    std::vector<std::size_t> peakPlaces;  ///< Index in `numbers` of each row of the table of peaks.
    StackedBars byRank, byStep, phases;
    EnvelopeLine variation;
    HeatMap heat;
    BoxPlot boxes;
    Histogram stepTimes;
    bool hasBase = false;  ///< Without, the next two are empty.
    StackedBars ranksBeside, stepsBeside;
};

/// A base with its numbers.
struct OverviewBase {
    OverviewNumbers numbers;
    ContextFilter context;
    QString title;
};

/// Any thread.
std::shared_ptr<const OverviewShown> overviewShown(OverviewNumbers numbers, const ContextFilter& context, bool isWhole,
                                                   const OverviewBase* base = nullptr);

}  // namespace altiscope
