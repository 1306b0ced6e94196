#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/kernels/overall_metrics.h"

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// A kernel or collective within the times.
struct WalkedTask {
    SliceIndex slice = kNoSlice;
    std::string_view name;
    TimeRange range;
    std::int64_t time = 0;    ///< What of it counts, see OverallLine.
    std::int64_t length = 0;  ///< What of it lies within the times.
};

/// Takes what makes up the metrics of one rank.
class OverallSink {
public:
    virtual ~OverallSink() = default;
    virtual void kernel(const KernelClass& of, const WalkedTask& task) = 0;
    /// @param wait  The part of its time in waits; nullopt: its tasks are not recorded.
    virtual void collective(const std::string& group, const WalkedTask& task, std::optional<std::int64_t> wait) = 0;
    virtual void gap(TimeRange range) = 0;
};

/// What a walk says beside what it hands to the sink.
struct WalkedRank {
    bool any = false;
    bool hasClasses = false;
    std::int64_t unclassified = 0;  ///< Computing of no row of a kernel, ns.
};

/// Everything of a rank, or of its busiest device, that makes up the metrics: kernels by begin, collectives by begin,
/// then gaps. Incomplete if cancelled.
WalkedRank walkOverall(const RankEntry& rank, const OverallRank& wanted, const CaptureGroups& groups, OverallSink& sink,
                       const CancelToken& cancel);

}  // namespace altiscope
