#pragma once

#include "core/analysis/kernels/kernel_classes.h"
#include "core/analysis/slices/slice_details.h"
#include "core/base/values/cancel.h"
#include "core/base/values/time.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// What of a rank is summed up.
struct OverallRank {
    RankIndex rank{};
    std::vector<std::int64_t> steps;  ///< Numbers, ascending; empty: all time.
    /// And only what lies within these, on the rank's clock, by begin, disjoint; nullopt: all of it.
    std::optional<std::vector<TimeRange>> times;
    bool operator==(const OverallRank&) const = default;
};

/// Lines of the overall metrics, as levels of a tree. U(C), U(M): core/analysis/FORMULAS.md section A.
enum class OverallKind : std::uint8_t {
    EndToEnd,   ///< Computing + exposed communication + free.
    Computing,  ///< U(C), the union of the kernels.
    Work,       ///< The part of it of one KernelWork; likewise the next two.
    Pass,
    Part,
    Communication,  ///< U(M \ C): collectives behind which no kernel hides.
    Group,          ///< The part of it of one communication group.
    Wait,           ///< Of that the time in tasks Notify_Wait on each collective's main plane (CollectiveTime).
    Transit,        ///< The rest of it.
    Free,           ///< Between the first and the last of both, and in neither.
};

/// A line of the metrics, in ns. Lines of one parent add up to it: where several kernels, or several collectives, run
/// at once, a moment belongs to the one that began first.
struct OverallLine {
    OverallKind kind = OverallKind::EndToEnd;
    std::uint32_t parent = 0;  ///< Index in OverallMetrics::lines, smaller than its own; of the first one 0.
    std::uint32_t depth = 0;
    KernelClass of;     ///< Of Work, Pass and Part, as far as the line goes.
    std::string group;  ///< Of Group, Wait and Transit; empty: not recorded.
    std::int64_t time = 0;
    /// Its kernels, collectives or gaps, and their lengths within the times, one by one; of the first line 0.
    std::uint64_t count = 0;
    std::int64_t sum = 0, min = 0, max = 0;
};

/// Where the time of devices went, as a tree of lines, summed over ranks. Constant.
struct OverallMetrics {
    std::shared_ptr<const CaptureStore> capture;
    std::vector<OverallRank> ranks;  ///< As they were to be looked at.
    std::vector<OverallLine> lines;  ///< Each before those below it; empty if no rank has anything.
    std::uint64_t counted = 0;       ///< Ranks that have.
    bool hasClasses = false;         ///< Rows of kernels were there: without them computing is one.
    bool hasWaits = false;           ///< Tasks of collectives were.
};

/// The sums over ranks; of a rank with several devices those of the busiest one.
/// @return nullopt if cancelled. Parallel on the arena over ranks. O(kernels * (log + depth) + tasks * log).
std::optional<OverallMetrics> overallMetrics(std::shared_ptr<const CaptureStore> capture,
                                             std::vector<OverallRank> ranks, const CancelToken& cancel);

/// A kernel, collective or gap of a line.
struct OverallInstance {
    SliceRef slice{0, kNoSlice};  ///< kNoSlice: it is on no timeline; the rank is known.
    std::string name;             ///< Of a gap empty.
    TimeRange range;
    std::int64_t time = 0;  ///< What of it counts in the line, ns.
};
/// What a line of the overall metrics consists of.
struct OverallInstances {
    std::vector<OverallInstance> list;  ///< Most time first, then by rank and begin.
    std::uint64_t all = 0;              ///< How many there are; `list` has the longest ones.
};
/// @param most  No more of them.
/// @return nullopt if cancelled. As slow as overallMetrics.
std::optional<OverallInstances> overallInstances(const OverallMetrics& metrics, std::size_t line, std::size_t most,
                                                 const CancelToken& cancel);

}  // namespace altiscope
