#pragma once

#include "core/analysis/support/capture_facts.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// Bytes of allocations of one name.
struct NamedBytes {
    std::string name;
    std::int64_t bytes = 0;
};

/// How the framework's pool of memory on a device was used. Bytes.
struct PoolUse {
    static constexpr std::size_t kMaxNames = 3;

    std::optional<std::int64_t> device;                      ///< Where the rank recorded several.
    std::int64_t highestAllocated = 0, highestReserved = 0;  ///< Of the whole recording; 0 where it is not recorded.
    std::int64_t span = 0;                                   ///< ns from its first sample to its last.
    /// Most that was allocated within each of RankFacts::steps, what holds at its begin counts; and what is at its end.
    std::vector<std::int64_t> highestInSteps, atEnds;
    std::int64_t atBegin = 0;  ///< Before the first step.
    /// By name, the most first: what the step with the highest peak had allocated since it began and not released at
    /// that peak; and what was allocated in a step and not released when the next one ends, of all steps.
    std::vector<NamedBytes> atHighest, kept;
};

/// What a memory snapshot has of a device. Bytes as requested.
struct SnapshotUse {
    std::int64_t device = 0;          ///< -1: of the host.
    std::int64_t entries = 0;         ///< Of its history.
    std::uint64_t olderBlocks = 0;    ///< Still allocated at its end and never seen allocated.
    std::int64_t olderBytes = 0;      ///< Of these.
    std::int64_t allocatedBytes = 0;  ///< Of all that is allocated at its end.
    /// Within the history. Where blocks are older than that, memory may have been fuller before.
    std::int64_t highestAllocated = 0, highestReserved = 0;
    std::int64_t highestReservedEvent = 0;
};

/// Allocations whose use is recorded, and which lie unused for longer than a share of their life. Bytes of their sizes.
struct UnusedAllocations {
    std::uint64_t late = 0, early = 0, idle = 0;  ///< By the longest of its three pauses; each counts once.
    std::int64_t lateBytes = 0, earlyBytes = 0, idleBytes = 0;
    std::string name;        ///< Of those that have the most bytes together.
    std::int64_t bytes = 0;  ///< Of these.
    std::uint64_t count() const { return late + early + idle; }
};

/// Of the life of an allocation of kMinUnusedBytes at least: half of it unused means that something else could have
/// had the memory for as long as it was needed; smaller ones are not worth a change of a program.
inline constexpr double kUnusedShare = 0.5;
inline constexpr std::int64_t kMinUnusedBytes = 1'048'576;
/// Shorter pauses are those between two operators.
inline constexpr std::int64_t kMinUnusedNs = 1'000'000;

/// What rules about memory look at of one rank. Constant.
struct MemoryUsage {
    std::vector<PoolUse> pools;          ///< By device.
    std::vector<SnapshotUse> snapshots;  ///< By device; empty without a memory snapshot.
    UnusedAllocations unused;
};

/// Of each rank, in the order of the facts, which are those of the capture. Incomplete if cancelled.
/// @note Any thread; ranks in parallel on the arena. O(samples * log steps + allocations * log steps + entries).
std::vector<MemoryUsage> memoryUsage(const CaptureStore& capture, const CaptureFacts& facts, const CancelToken& cancel);

}  // namespace altiscope
