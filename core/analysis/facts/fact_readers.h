#pragma once

#include "core/analysis/collectives/collective_groups.h"
#include "core/analysis/steps/device_activity.h"
#include "core/analysis/steps/step_sums.h"
#include "core/analysis/support/capture_facts.h"
#include "core/store/capture_store.h"
#include "core/trace/rank.h"

#include <memory>
#include <span>

namespace altiscope {

/// How often loops over rows look whether they are still wanted.
inline constexpr std::size_t kRowsBetweenPolls = std::size_t{1} << 16;

/// The next row that may have a value: `row`, or after the blocks of a column whose range leaves it out. May be the
/// number of rows.
std::size_t nextRowWith(const RowTable& table, std::size_t column, std::size_t row, std::int64_t value);

// Parts of readRankFacts; each fills some members of RankFacts. Any thread. A cancelled one leaves them incomplete.

/// launchGaps, longestLaunchGaps, garbageCollections, synchronizations, dataLoading, optimizers, memoryCalls,
/// compilations, syncBatchNorms: by names of slices; freeAfterSynchronization.
/// O(slices of host tracks + those found * log). Sources of the names: core/import/trace/FORMAT.md.
void readHostFacts(const TraceStore& trace, const DeviceActivity& activity, RankFacts& facts,
                   const CancelToken& cancel);

/// collectives. O(collectives * log kernels).
void readCollectiveFacts(const RankEntry& rank, const CaptureGroups& groups, const DeviceActivity& activity,
                         RankFacts& facts, const CancelToken& cancel);

/// waits, receivesPerStep; StepFacts::batched and batchedWait. `steps` must be there. O(rows * groups of the rank).
void readWaitFacts(const RowTables& tables, const CaptureGroups& groups, RankFacts& facts, const CancelToken& cancel);

/// receiveWaits: of a rank whose steps have no parts. `steps` must be there. O(rows).
void readReceiveWaits(const RankEntry& rank, const RowTables& tables, RankFacts& facts);

/// pools: of each device what the samples of the framework's pool state, and the allocations. O(samples + allocations *
/// log steps).
void readMemoryFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                     const CancelToken& cancel);

/// keptStacks, outOfMemory: of a memory snapshot. O(blocks * log + entries), and where a stack keeps blocks, or a
/// request failed, what deviceSnapshot, joinByAllocations and PoolHistory cost.
/// @param steps  Of the rank, for what is said per step.
void readSnapshotFacts(const std::shared_ptr<const RowTables>& rows, std::span<const Step> steps, RankFacts& facts,
                       const CancelToken& cancel);

/// packets, links: sums of what the profiler's files state. O(rows).
void readTransferFacts(const RankEntry& rank, const CaptureGroups& groups, RankFacts& facts, const CancelToken& cancel);

/// idleCores, idleCube, idleVector, cubeCores, vectorCores, and savings of these kernels: by blocks of kernels and
/// shares of pipes, as far as they are recorded. `device` of the facts must be there, for all readers of kernels.
/// O(kernels).
void readCoreFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                   const CancelToken& cancel);

/// sequences; savings of the one that saves most of those that come kFusibleRepeats times a step.
/// O(kernels * log).
void readSequenceFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                       const CancelToken& cancel);

/// shapes. `steps` of the facts must be there. O(kernels * log).
void readShapeFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                    const CancelToken& cancel);

/// paces, mhzBySteps. `steps` of the facts must be there. O(kernels * log).
void readPaceFacts(const RankEntry& rank, const std::vector<StepSpan>& steps, RankFacts& facts,
                   const CancelToken& cancel);

/// fusibleCalls: by names of the framework's operators and their order. O(operators * log).
void readFusibleCalls(const TraceStore& trace, const std::vector<StepSpan>& steps, RankFacts& facts,
                      const CancelToken& cancel);

/// longCollectives. O(rows * log).
void readLongCollectives(const RankEntry& rank, RankFacts& facts, const CancelToken& cancel);

/// contention: of recorded collectives and bandwidths. `steps` of the facts must be there. O(rows * log).
void readContentionFacts(const RankEntry& rank, const DeviceActivity& activity, RankFacts& facts,
                         const CancelToken& cancel);

}  // namespace altiscope
