#pragma once

#include <cstdint>

namespace altiscope {

// Iterations of a model as marks on the device's streams state them. Times: wall time, ns; lengths in ns.

/// An iteration of a model.
struct IterationRecord {
    std::uint32_t model = 0;
    std::uint64_t index = 0;                 ///< From 1 by model; of steps of the program their number.
    std::int64_t forward = 0, backward = 0;  ///< The forward pass begins, the backward one ends; 0: not marked.
    std::int64_t end = 0;
    std::int64_t length = 0;   ///< Ends at `end`.
    std::int64_t passes = 0;   ///< From forward to backward.
    std::int64_t refresh = 0;  ///< From backward to the end.
    std::int64_t wait = 0;     ///< From the end of the iteration before to forward.
    std::int64_t begin() const { return end - length; }
    bool hasPasses() const { return forward != 0 && backward != 0; }
};
/// A collective within an iteration.
struct ReductionRecord {
    std::uint32_t model = 0;
    std::uint64_t index = 0;
    std::int64_t iterationEnd = 0, begin = 0, end = 0;
};
/// Waiting for prepared data.
struct DataFetchRecord {
    std::uint32_t model = 0;
    std::int64_t begin = 0, end = 0;
};

/// Threads of iterations stand after those of streams.
inline constexpr std::int64_t kFirstIterationThread = 70'000;
inline std::int64_t iterationThread(std::uint32_t model) {
    return kFirstIterationThread + static_cast<std::int32_t>(model);
}

}  // namespace altiscope
