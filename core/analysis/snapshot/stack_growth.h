#pragma once

#include "core/analysis/snapshot/history_steps.h"

#include <cstdint>
#include <vector>

namespace altiscope {

/// How what a call stack holds grows along a history. Bytes as requested; what was released and waits for its streams
/// is held no more.
struct StackGrowth {
    std::uint32_t stack = 0;     ///< Number in DeviceSnapshot::stacks.
    std::uint64_t blocks = 0;    ///< Allocated within the history, and still held where it ends.
    std::uint64_t released = 0;  ///< Allocated and released within it.
    /// What it keeps: all of `blocks`; of a stack that also releases what it holds more at the last border than at the
    /// first, without steps what it has held for longer than twice the longest life of what it released.
    std::int64_t bytes = 0;
    std::int64_t blockBytes = 0;  ///< Of a block that it holds, the median.
    /// A line through what it holds at the borders of the steps, bytes per step; without steps through the sum of what
    /// it keeps, bytes per kEntries entries.
    double growth = 0;
    double margin = 0;  ///< Half of its 95 % interval.
    double fit = 0;     ///< R^2.
    /// It never holds less at a border than at the one before; without steps: what it keeps was allocated over half of
    /// the history at least, and survives the release of its own periods, which lie between those blocks
    /// (PeriodReleases).
    bool isSteady = false;

    static constexpr std::int64_t kEntries = 1000;
};

/// Stacks that keep three blocks at least and hold more and more; the most bytes first.
/// O(blocks + kept stacks * steps); cancelled: nothing.
std::vector<StackGrowth> stackGrowth(const DeviceSnapshot& snapshot, const HistorySteps& steps,
                                     const CancelToken& cancel);

}  // namespace altiscope
