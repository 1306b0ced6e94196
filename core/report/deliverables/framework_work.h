#pragma once

#include "core/report/deliverables/deliverable_input.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// The operators of a framework as one tree of all threads, as the analysis of torch_npu has it, and what each had the
/// devices do. Source: core/report/deliverables/FORMAT.md section 6.
struct FrameworkWork {
    static constexpr std::uint32_t kNone = 0xffffffff;

    struct Operator {
        SliceIndex slice;
        std::uint32_t parent = kNone;
        bool hasQueued = false;  ///< It or one below put work into the queue.
    };
    /// The event on a device at which an operator's launch ended.
    struct Kernel {
        SliceIndex slice;
        std::uint32_t op = kNone;
        std::int64_t launch = 0;  ///< Begin of the call that launched it, ns.
        std::uint32_t work = 0;   ///< Which work of the queue that was, in its order; without queue each is its own.
    };

    std::vector<Operator> operators;  ///< By begin.
    std::vector<Kernel> kernels;      ///< By launch.
};
/// Empty where there is no trace. O((slices of the framework + flows) log). nullopt if cancelled.
std::optional<FrameworkWork> frameworkWork(const DeliverableInput& input);

}  // namespace altiscope
