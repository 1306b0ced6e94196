#pragma once

#include "core/analysis/capture_analysis.h"
#include "core/analysis/communication/communication_choices.h"
#include "core/base/values/cancel.h"
#include "core/tables/scope/context_filter.h"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace altiscope {

/// A group whose ranks recorded different numbers of collectives.
struct UnequalGroup {
    std::string group;
    std::size_t min = 0, max = 0;
    std::int64_t minRank = 0, maxRank = 0;
};

/// A step that files of some ranks do not list, though they list others, and it ran or other ranks list it.
struct MissingStep {
    RowKind kind = RowKind::Collective;  ///< Or Link.
    std::int64_t step = 0;
    std::vector<std::size_t> ranks;  ///< Indexes in CommunicationSource::ranks.
};

/// Data of the communication page: the ranks that the context holds, and what is known of their communication.
/// Constant; made on a worker.
struct CommunicationSource {
    std::shared_ptr<const CaptureStore> capture;
    ContextFilter context;
    std::vector<RankIndex> ranks;  ///< Those of the context.
    /// By index in `ranks`: what is computed of a rank whose files list no collectives; null: it has recorded ones, or
    /// nothing.
    std::vector<std::shared_ptr<const RowTables>> computed;
    /// Likewise for links, and for bandwidths and packets; if a time is marked, what lies in it, also of ranks that
    /// have recorded ones: these are sums of whole steps.
    std::vector<std::shared_ptr<const RowTables>> computedLinks, computedTransfers;
    /// Computed links of the whole run.
    std::vector<std::shared_ptr<const RowTables>> wholeRunLinks;
    /// Indexes in `ranks` whose recorded rows a marked time does not narrow, as there is nothing to compute them from.
    std::vector<std::size_t> wholeLinks, wholeTransfers;
    /// How many of the tasks that moved data do not state how much.
    std::uint64_t unknownTasks = 0, movingTasks = 0;
    bool hasRemote = false;  ///< Some of what is computed went by RDMA, whose times are not known.
    CommunicationChoices choices;
    std::vector<UnequalGroup> unequal;      ///< By name. Sends and receives are not counted: they differ by nature.
    std::vector<MissingStep> missingSteps;  ///< By kind and step.
    bool hasLinks = false, hasCollectives = false;

    const RankEntry& rank(std::size_t place) const { return capture->ranks[ranks[place].value]; }
    /// The rows of collectives that count for a rank (index in `ranks`): recorded, else computed; null: none.
    const RowTables* collectives(std::size_t place) const;
    /// Likewise of links.
    const RowTables* links(std::size_t place) const;
};

/// @param context  Of this capture, see ContextFilter::forCapture.
/// @return Null if cancelled. O(rows of communication), and computing what no file holds, for which arguments of tasks
/// are read back; parallel on the arena.
std::shared_ptr<const CommunicationSource> communicationSource(const std::shared_ptr<const CaptureStore>& capture,
                                                               const std::shared_ptr<const CaptureAnalysis>& analysis,
                                                               const ContextFilter& context, const CancelToken& cancel);

}  // namespace altiscope
