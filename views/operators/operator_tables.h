#pragma once

#include "core/analysis/kernels/call_sites.h"
#include "core/tables/column_table.h"
#include "views/common/support/heading_model.h"
#include "views/operators/operator_numbers.h"

#include <QString>

#include <cstddef>
#include <memory>
#include <vector>

namespace altiscope {

// The tables of the operators page. Pure functions; the makers run on any thread, the headings on the GUI thread.

enum class GroupColumn : std::size_t {
    Name,
    Type,
    Core,
    Shapes,
    Step,
    Rank,
    Count,
    Total,
    Share,
    Least,
    Median,
    Average,
    P95,
    Greatest,
    Deviation,
    Wait,
    AverageWait
};
/// A row for each group, in their order.
std::shared_ptr<const ColumnTable> groupTable(const KernelGroups& groups);
std::vector<ColumnHeading> groupHeadings();
/// Columns that a grouping does not have.
std::vector<GroupColumn> columnsWithout(KernelGrouping grouping, KernelSplit split);

enum class SiteColumn : std::size_t {
    Python,
    Program,
    Operator,
    Total,
    Share,
    Count,
    Average,
    Greatest,
    Outer,
    Module
};
/// A row for each site.
std::shared_ptr<const ColumnTable> callSiteTable(const CallSites& sites);
std::vector<ColumnHeading> callSiteHeadings();

/// How a group's key reads: "MatMulV2, AI_CORE". What is not recorded reads so.
QString keyTitle(const KernelGroups& groups, std::uint32_t key);
/// With its step or rank: "MatMulV2, AI_CORE, step 5".
QString groupTitle(const KernelGroups& groups, std::size_t group);

}  // namespace altiscope
