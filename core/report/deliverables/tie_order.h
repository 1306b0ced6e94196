#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope {

// Rows that begin at one time stand in the order in which the vendor's program leaves them: its sort keeps no order, so
// that theirs follows from the order of all rows before it. Source: FORMAT.md section 3, "Rows of one time".

/// Larger tables are not compared row by row: the order of equal ones is that of the records.
inline constexpr std::size_t kMaxRowsInVendorOrder = std::size_t{1} << 20;

/// The rows of task_time, of tasks of which not all are listed. @param isListed  By index in `records.tasks`.
/// @return Indexes in `records.tasks`.
std::vector<std::uint32_t> vendorTaskOrder(const TaskRecords& records, const std::vector<bool>& isListed);

/// A row of op_summary: of a task, or of a collective.
struct SummaryRowPlace {
    std::size_t device = 0;     ///< Its place among the texts of all.
    std::int64_t begin = 0;     ///< ns
    bool isCollective = false;  ///< Those stand after all tasks.
    std::uint32_t place = 0;    ///< TaskRecord::place or CollectiveRecord::place.
    std::uint32_t row = 0;
};
/// Sorts them by device, then by begin.
void sortAsVendor(std::vector<SummaryRowPlace>& rows);

}  // namespace altiscope
