#pragma once

#include "core/base/values/cancel.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// A call on a thread of the host. Times in ns.
struct HostInterval {
    std::int64_t thread = 0;  ///< Process and thread in one number.
    std::int64_t begin = 0, end = 0;
};

/// A call of CANN that launched something.
struct LaunchCall {
    HostInterval call;
    std::int64_t connection = 0;  ///< As in the table CANN_API.
};

/// Calls that went through the framework's queue.
struct QueuedCalls {
    /// The k-th of both are one call; both by the time at which they end.
    std::vector<HostInterval> enqueued, dequeued;
};

struct OperatorLaunch {
    std::size_t number = 0;       ///< Index of the operator.
    std::int64_t connection = 0;  ///< Connection of the launch.
};

/// Which operator of the framework launched something, as the vendor's database states it: of the operators that wholly
/// contain the enqueuing (without a queue: the launch) the one that begins last, looked for from the one of the launch
/// before. The text export decides otherwise. Source: core/report/deliverables/FORMAT.md section 7.
/// @param operators  By begin.
/// @param launches   By begin.
/// @return           By launch. Cost: O(operators + launches) for recordings; after a cancel some are missing.
std::vector<OperatorLaunch> operatorLaunches(std::span<const HostInterval> operators, const QueuedCalls& queue,
                                             std::span<const LaunchCall> launches, const CancelToken& cancel);

}  // namespace altiscope
