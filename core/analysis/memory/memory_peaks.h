#pragma once

#include "core/analysis/memory/memory_series.h"
#include "core/base/values/cancel.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// The highest point of one quantity.
struct MemoryPeakPoint {
    std::int64_t value = 0;
    TimeNs at;  ///< Of the first sample that has it.
    bool operator==(const MemoryPeakPoint&) const = default;
};

/// How high the memory of a component went.
struct ComponentPeak {
    MemoryOwner owner;
    bool isModule = false;      ///< From module_memory (npu_module_mem), not from memory_sample.
    std::uint64_t samples = 0;  ///< Within the requested times.
    std::optional<MemoryPeakPoint> allocated, reserved, active, fragmentation;
    std::optional<std::int64_t> allocatedThen;  ///< At the peak of reserved, by the same sample.
};

/// Of samples within some times (by begin, disjoint); nullopt: of all. Components without a sample there are left out.
std::vector<ComponentPeak> componentPeaks(const MemorySeriesSet& set,
                                          const std::optional<std::vector<TimeRange>>& times);

/// The same of the modules of a rank, by name and device. Negative sizes, which show that only releases were seen, do
/// not count.
/// @return Empty if cancelled. O(rows).
std::vector<ComponentPeak> modulePeaks(const RowTables& rows, const std::optional<std::vector<TimeRange>>& times,
                                       const CancelToken& cancel);

/// The series that shows most of what the framework holds: of the sum of its pools, else of a pool, else of any; of
/// several devices that of the fullest. Null without one.
std::shared_ptr<const MemorySeries> leadingSeries(const MemorySeriesSet& set);
/// The moment at which it holds the most: of allocated memory, else of reserved.
std::optional<MemoryPeakPoint> leadingPeak(const MemorySeries& series,
                                           const std::optional<std::vector<TimeRange>>& times);

/// Whether a component is the sum of others ("PTA+GE"). Source of the names: core/import/csv/FORMAT.md section 6.
bool isSumComponent(std::string_view component);

}  // namespace altiscope
