#pragma once

#include "core/analysis/account/host_cover.h"
#include "core/analysis/account/job_graph.h"
#include "core/analysis/support/capture_facts.h"

#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Something that may slow a job, and what would be other without it.
struct CauseCandidate {
    Cause cause = Cause::Unknown;
    CauseKind kind = CauseKind::Any;
    std::vector<RankIndex> ranks;
    std::string name, group;
    std::optional<std::pair<RankIndex, RankIndex>> link;
    bool isUncertain = false;  ///< Its ideal rests on little.
    std::vector<GraphChange> changes;
    std::vector<CauseSlice> slices;  ///< The longest, at most CauseFacts's number.

    /// ns by which all of it together is shorter: no step can win more than what lies on its path.
    std::int64_t total() const;
};

/// What candidates are made of.
struct CandidateInput {
    const CaptureStore& capture;
    const CaptureGroups& directory;
    const std::vector<RankFacts>& facts;
    const std::vector<std::optional<RankGraph>>& graphs;
    const std::vector<std::unique_ptr<HostCover>>& hosts;  ///< Of each rank; null: none.
    const JobCollectives& collectives;
    const JobGraph& job;
};

/// Frequency, kernels, AI CPU, host, transfer, packets, waits for reductions and absent ranks, with their ideals:
/// core/analysis/FORMULAS.md section I. In the order of causes and ranks; those that change nothing are not in it.
/// O(nodes * log).
std::vector<CauseCandidate> findCandidates(const CandidateInput& input, const CancelToken& cancel);

// Parts of it; each appends.
void addKernelCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel);
void addHostCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel);
void addTransferCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found);
/// The time of a rank's transfers in large packets as a share of what they took; 1 where small ones are few.
double shareInLargePackets(const RankFacts& rank);
void addPacketCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found);
void addOverlapCandidates(const CandidateInput& input, std::vector<CauseCandidate>& found, const CancelToken& cancel);

/// A change beside the causes.
struct WhatIfCandidate {
    WhatIf whatIf = WhatIf::IdleCores;
    std::vector<RankIndex> ranks;
    std::string name;
    std::vector<GraphChange> changes;
};
/// Those that change anything, by WhatIf: core/analysis/FORMULAS.md section I. O(nodes + savings * log).
/// @param durations  Of the job's nodes without the causes, ns.
std::vector<WhatIfCandidate> findWhatIfs(const CandidateInput& input, const std::vector<std::int64_t>& durations,
                                         const CancelToken& cancel);

/// Those of transfers; appends. O((losses + collectives) * steps).
void addTransferWhatIfs(const CandidateInput& input, std::vector<WhatIfCandidate>& found);

/// A slice that a candidate changes, if it is among the longest.
void keepSlice(CauseCandidate& candidate, const TraceStore& trace, RankIndex rank, SliceIndex slice,
               std::int64_t amount);

/// Makes one candidate of those of `found` from `first` on that have one cause and kind, if at least three quarters of
/// the ranks have it: from any of them alone a step wins nothing.
void joinCommon(std::vector<CauseCandidate>& found, std::size_t first, std::size_t rankCount);

}  // namespace altiscope
