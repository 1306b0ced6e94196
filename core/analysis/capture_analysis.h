#pragma once

#include "core/analysis/account/rank_account.h"
#include "core/analysis/collectives/collective_instances.h"
#include "core/analysis/communication/computed_transfers.h"
#include "core/analysis/communication/parallel_groups.h"
#include "core/analysis/computed_rows.h"
#include "core/analysis/support/capture_facts.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

struct JobPaths;
struct JobSlowdown;
struct PipelineBlock;

/// What is computed from the ranks of one state of a capture: each part at its first use, then kept. Thread-safe;
/// constant to users.
class CaptureAnalysis {
public:
    explicit CaptureAnalysis(std::shared_ptr<const CaptureStore> capture);
    ~CaptureAnalysis();
    CaptureAnalysis(const CaptureAnalysis&) = delete;
    CaptureAnalysis& operator=(const CaptureAnalysis&) = delete;

    const CaptureStore& capture() const;

    /// What computeRank makes of a rank. Null if cancelled before it was there.
    std::shared_ptr<const RankComputation> rank(RankIndex rank, const CancelToken& cancel) const;
    /// What computeTransfers makes of a rank. Null if cancelled before it was there.
    /// @note Apart from the others, as arguments are read back from the source for it.
    std::shared_ptr<const ComputedTransfers> transfers(RankIndex rank, const CancelToken& cancel) const;
    /// Which rows of `collective` are one collective: of recorded rows alone, and with the computed ones of all ranks.
    /// Numbers of recorded rows are the same in both. Null if cancelled.
    std::shared_ptr<const CollectiveInstances> recordedCollectives(const CancelToken& cancel) const;
    std::shared_ptr<const CollectiveInstances> allCollectives(const CancelToken& cancel) const;
    /// What the rules of core/findings look at: facts of all ranks. Null if cancelled.
    /// @note Ranks are looked at in parallel on the arena. rank() is known of all of them then: facts and rows are made
    ///       of the same, which is read once and not kept.
    std::shared_ptr<const CaptureFacts> facts(const CancelToken& cancel) const;

    /// All gaps of each rank, by step and time. Null if cancelled.
    std::shared_ptr<const std::vector<std::vector<AccountGap>>> gaps(const CancelToken& cancel) const;

    /// Critical paths of the steps of the job, and how late each arrival at a collective may be; empty where its
    /// account refuses a replay (JobAccount::refusal). Null if cancelled.
    std::shared_ptr<const JobPaths> paths(const CancelToken& cancel) const;
    /// Which parts of the job its causes slow down; without entries where its account refuses a replay. Null if
    /// cancelled.
    std::shared_ptr<const JobSlowdown> slowdown(const CancelToken& cancel) const;
    /// Passes of micro-batches of each rank, by begin. Null if cancelled.
    std::shared_ptr<const std::vector<std::vector<PipelineBlock>>> pipeline(const CancelToken& cancel) const;
    /// Where the ranks are in their job, as far as the capture states it: recordedLayout(). Null if cancelled.
    /// @note No timeline is looked at; some 10 ms for 4,096 ranks once the groups of the capture are read.
    std::shared_ptr<const ParallelLayout> layout(const CancelToken& cancel) const;

private:
    struct Impl;
    std::unique_ptr<Impl> m_impl;
};

}  // namespace altiscope
