#pragma once

#include "core/analysis/memory/idle_limits.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Which rows of `allocation` are wanted. All parts must hold.
struct AllocationQuery {
    /// Allocated or released in one of these; nullopt: whenever. By begin, disjoint.
    std::optional<std::vector<TimeRange>> touched;
    std::optional<TimeNs> aliveAt;            ///< Allocated at or before, and not released until then.
    bool unreleased = false;                  ///< The recording knows no release.
    std::optional<std::int64_t> device = {};  ///< Of this one alone, where the rows name several.
    std::optional<IdleLimits> limits = {};    ///< Exceeds one of these; none of rows whose use is not recorded does.
};

/// Rows in the order of the source. A row without a time of allocation was there before the recording; one without a
/// size, or with a negative one, stands for a release alone. @return nullopt if cancelled. O(rows), less where whole
/// blocks lie elsewhere; any thread.
std::optional<std::vector<std::uint32_t>> allocationRows(const RowTable& allocations, const AllocationQuery& query,
                                                         const CancelToken& cancel);

/// What operators of one name hold.
struct MemoryHolder {
    std::string name;
    std::int64_t bytes = 0, largest = 0;
    std::uint64_t count = 0;
    std::uint64_t unreleased = 0;  ///< Of these, how many are never released.
    TimeNs oldest;                 ///< When the first of them was allocated.
};

/// What is alive at a moment on a device.
struct AliveMemory {
    TimeNs at;
    std::vector<MemoryHolder> holders;  ///< The most bytes first, then by name.
    std::int64_t bytes = 0;
    std::uint64_t count = 0;
};

/// @param device  Of this one alone, where the rows name several; nullopt: of all.
/// @return nullopt if cancelled. O(rows); any thread.
std::optional<AliveMemory> aliveAt(const RowTables& rows, TimeNs at, std::optional<std::int64_t> device,
                                   const CancelToken& cancel);

/// The slice in which an operator allocated: the innermost one of that name around the time on a track of the host;
/// nullopt if there is none. O(tracks * depths * log slices).
std::optional<SliceIndex> allocatingSlice(const TraceStore& trace, std::string_view name, TimeNs at);

}  // namespace altiscope
