#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace altiscope {

/// Size of a collective operation.
struct CollectiveVolume {
    std::int64_t bytes = 0;  ///< All data of the operation: what a rank has of it before or after, whichever is more.
    /// Bus bandwidth / algorithm bandwidth, where the latter is bytes / time: how often each byte has to pass the
    /// slowest link at least. It does not depend on the number of ranks, so that groups can be compared.
    double busShare = 1;
};

/// By the count and the data type that HCCL states of a call: the elements that each rank sends, of a reduce-scatter
/// those that each receives, of an all-to-all those for each peer.
/// Source: nccl-tests, "Performance reported by NCCL tests"; the arguments of HcclAllReduce and its like.
/// @param name   "hcom_allReduce__586_0_1"
/// @param count  Above 0.
/// @param dataType  "FP16"
/// @param ranks  Of the group, two at least.
/// @return nullopt: the operation has no fixed volume (alltoallv, batched sends), or the type is not known. O(1).
std::optional<CollectiveVolume> collectiveVolume(std::string_view name, std::int64_t count, std::string_view dataType,
                                                 std::size_t ranks);

}  // namespace altiscope
