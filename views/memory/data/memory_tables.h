#pragma once

#include "core/analysis/memory/memory_allocations.h"
#include "core/analysis/memory/memory_peaks.h"
#include "core/analysis/memory/static_memory.h"
#include "core/tables/rows/allocation_rows.h"
#include "core/tables/sources/column_table.h"
#include "views/common/support/heading_model.h"

#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

// The tables of the memory page. Pure functions; the makers run on any thread, the headings on the GUI thread.

enum class PeakColumn : std::size_t {
    Component,
    Stream,
    Source,
    Samples,
    Reserved,
    ReservedAt,
    AllocatedThen,
    UnusedThen,  ///< At the peak of reserved.
    Allocated,
    AllocatedAt,
    Active,
    ActiveAt,
    Fragmentation,
    FragmentationAt,
    Device  ///< Only where the peaks are of several.
};
std::shared_ptr<const ColumnTable> componentPeakTable(const std::vector<ComponentPeak>& peaks, TimeNs origin);
std::vector<ColumnHeading> componentPeakHeadings(const std::vector<ComponentPeak>& peaks);

enum class HolderColumn : std::size_t { Name, Bytes, Share, Count, Largest, Unreleased, Oldest };
std::shared_ptr<const ColumnTable> holderTable(const AliveMemory& alive, TimeNs origin);
std::vector<ColumnHeading> holderHeadings();

enum class StaticColumn : std::size_t { Name, First, Last, Size };
std::shared_ptr<const ColumnTable> staticTable(const RowTables& rows, const StaticGraph& graph);
std::vector<ColumnHeading> staticHeadings();

std::vector<ColumnHeading> allocationHeadings(const AllocationRows& rows);

}  // namespace altiscope
