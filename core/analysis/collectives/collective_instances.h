#pragma once

#include "core/analysis/collectives/collective_peers.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace altiscope {

/// Numbers that are equal for rows of `collective` that are one collective on several ranks, or a send and its receive.
/// From 1, by group and then time; unique in the capture.
struct CollectiveInstances {
    /// Of one rank, by row; kNoCell: it cannot be known.
    struct OfRank {
        std::vector<std::int64_t> recorded, computed;
    };
    std::vector<OfRank> ranks;  ///< As in CaptureStore::ranks.

    std::optional<std::int64_t> find(RankIndex rank, bool isComputed, std::size_t row) const;
};

/// Pairs the recorded rows of all ranks by group, kind, size and ends, as collective_peers.h pairs slices, so extra
/// collectives at the beginning of one rank shift nothing; what no other rank recorded is an instance by itself.
/// Unknown are rows without group or time, all of a rank whose ends do not fit those of the rank of its group that has
/// most, and sends and receives of groups of more than two.
/// @return nullopt if cancelled. O(rows * log); parallel over groups.
std::optional<CollectiveInstances> recordedInstances(const CaptureStore& capture, const CancelToken& cancel);

/// Those, and the computed rows: one with the name and time of a recorded row (to 1 us) has its number, others those
/// that they pair with.
/// @param computed  What computeRank gives for each rank; null where there is none.
/// @return nullopt if cancelled.
std::optional<CollectiveInstances> allInstances(const CaptureStore& capture, const CollectiveInstances& recorded,
                                                const std::vector<const RowTables*>& computed,
                                                const CancelToken& cancel);

}  // namespace altiscope
