#pragma once

#include "core/analysis/kernels/call_sites.h"
#include "core/tables/sources/column_table.h"
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
    Device,
    PerStep,     ///< This and the next three beside a base alone, and then first: they are what is looked for.
    Base,        ///< Per step.
    Difference,  ///< PerStep - Base
    Change,      ///< Difference / Base
    Count,
    Total,
    Share,
    Min,
    Median,
    Average,
    P95,
    Max,
    Deviation,
    Wait,
    AverageWait
};
inline constexpr GroupColumn kBaseColumns[] = {GroupColumn::PerStep, GroupColumn::Base, GroupColumn::Difference,
                                               GroupColumn::Change};
/// A row for each group, in their order; after them one for each key that only the base has.
/// @param base  Null: nothing is compared.
std::shared_ptr<const ColumnTable> groupTable(const KernelGroups& groups, const OperatorBase* base);
std::vector<ColumnHeading> groupHeadings();
/// Columns in which no group has anything, by what they are made of.
std::vector<GroupColumn> columnsWithout(const KernelGroups& groups);

enum class SiteColumn : std::size_t { Python, Program, Module, Operator, Total, Share, Count, Average, Max, Outer };
/// A row for each site.
std::shared_ptr<const ColumnTable> callSiteTable(const CallSites& sites);
std::vector<ColumnHeading> callSiteHeadings();

/// How a group's key reads: "MatMulV2, AI_CORE". What is not recorded reads so.
QString keyTitle(const KernelGroups& groups, std::uint32_t key);
/// Whose kernels a part of the index are: "Rank 3"; of a rank that recorded several devices "Rank 3, NPU 1".
QString partTitle(const KernelIndex& index, std::size_t part);
/// With its step or rank: "MatMulV2, AI_CORE, step 5".
QString groupTitle(const KernelGroups& groups, std::size_t group);

}  // namespace altiscope
