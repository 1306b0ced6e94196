#pragma once

#include <cstdint>
#include <string>

namespace altiscope {

// Counters of a device for single tasks, and records of its AI CPU. Tasks and streams are as the records
// have them.

/// Outcome of the requests of a task, as shares of them to six decimals; 0 without any request. Of the L2 cache
/// victims, of the translation of addresses misses. The name is that of an operator with the same numbers, the last
/// one that was launched; empty: none is known.
struct TaskShares {
    std::uint32_t stream = 0, task = 0;
    double hits = 0, others = 0;
    std::string op;
};
/// Pages that a task had to wait for. The name likewise, but of the first one that was launched on the device.
struct TaskPageFaults {
    std::uint32_t stream = 0, task = 0, faults = 0;
    std::string op;
};

/// A kernel of the AI CPU: durations in microseconds, as the records and the vendor's doubles have them.
struct AicpuKernel {
    std::int64_t begin = 0, end = 0;  ///< Wall time in ns.
    double compute = 0, copy = 0, run = 0, dispatch = 0, total = 0;
    std::uint32_t stream = 0, task = 0;
    std::string op;  ///< Empty: none is known.
};
/// Something the AI CPU did to a queue of prepared data.
struct QueueAction {
    std::int64_t time = 0;  ///< As the vendor's program takes it, see FORMAT.md of core/report/deliverables.
    std::string action, source;
    std::uint64_t size = 0;
    bool isOld =
        false;  ///< Whether it is from a file of older versions, whose times the vendor's program prints as doubles.
};
/// How long the AI CPU waited for prepared data: microseconds of a clock of its own.
struct QueueWait {
    std::string name;
    std::uint64_t begin = 0, end = 0, size = 0;
};

}  // namespace altiscope
