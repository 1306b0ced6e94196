#pragma once

#include "core/store/capture_store.h"

#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// How often and how long something ran.
struct TotalTime {
    std::uint64_t count = 0;
    std::int64_t total = 0, min = 0, max = 0;  ///< ns

    double average() const { return count == 0 ? 0 : static_cast<double>(total) / static_cast<double>(count); }
    void add(std::int64_t duration) {
        min = count == 0 || duration < min ? duration : min;
        max = count == 0 || duration > max ? duration : max;
        // More than three centuries come from broken files only.
        if (__builtin_add_overflow(total, duration, &total)) total = std::numeric_limits<std::int64_t>::max();
        ++count;
    }
};

/// Kernels of one operator type on one kind of core of one device: a row of the SQL table `op_stat`.
struct OperatorTotal {
    std::optional<std::int64_t> device;  ///< Where rows or timeline state it.
    std::string type;                    ///< e.g. "MatMulV2"
    std::string coreType;                ///< e.g. "AI_CORE"
    TotalTime time;
};

/// The kernels of a rank that are no collectives, by device, type and core, the most time first; their rows of `kernel`
/// are grouped, as the vendor groups them (core/import/csv/FORMAT.md section 4). Rows without a type are left out.
/// O(kernels); empty if cancelled.
std::vector<OperatorTotal> operatorTotals(const RankEntry& rank, const CancelToken& cancel);

/// Calls of one function of CANN: a row of the SQL table `api_stat`.
struct ApiTotal {
    std::string level;  ///< acl, runtime, node, model, hccl (files before 2025) or communication
    std::string name;   ///< After the "@" of the slice's name.
    TotalTime time;
    double variance = 0;  ///< Of all calls (not of a sample), ns^2.
};

/// The slices of the CANN tracks by level and name, sorted so (core/import/csv/FORMAT.md section 5). The level is the
/// word before the "@". O(slices of CANN); empty if cancelled.
std::vector<ApiTotal> apiTotals(const TraceStore& trace, const CancelToken& cancel);

}  // namespace altiscope
