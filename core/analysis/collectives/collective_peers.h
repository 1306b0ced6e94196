#pragma once

#include "core/analysis/collectives/collective_ends.h"
#include "core/analysis/slices/slice_details.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace altiscope {

/// What one rank did of a collective.
struct CollectivePeer {
    RankIndex rank{};
    SliceIndex slice = kNoSlice;
    TimeRange range;        ///< On the rank's own clock.
    std::int64_t wait = 0;  ///< ns it was in it before the last rank came: its length - that of the shortest.
};

/// A collective on all ranks that it was found on; or a send and its receive.
struct CollectivePeers {
    std::string group;
    bool isTransfer = false;
    std::vector<CollectivePeer> peers;  ///< By rank; the one that was searched for is among them.
    std::vector<RankIndex> missing;     ///< Ranks with events of the group, on which it was not found.
};

/// The collectives of all ranks of a capture by group, to find what belongs together. Constant.
class CollectiveDirectory {
public:
    /// @return Null if cancelled. O(collectives * log); parallel over ranks.
    static std::shared_ptr<const CollectiveDirectory> make(std::shared_ptr<const CaptureStore> capture,
                                                           const CancelToken& cancel);

    const std::shared_ptr<const CaptureStore>& capture() const { return m_capture; }

    /// The same collective on the other ranks of its group, paired as the alignment of clocks pairs them
    /// (clock_alignment.h): by group, kind, size and order, where the order is one at which the distances of ends
    /// agree, or else the same number of the same things. A send and its receive are found in groups of two ranks
    /// alone; in others it stands by itself.
    /// @return nullopt if the slice is no collective of a known group, or if cancelled.
    /// @note   Any thread; parallel over ranks. O(collectives of the group), and O(... * log) for ranks that recorded
    /// others than this one.
    std::optional<CollectivePeers> peersOf(SliceRef slice, const CancelToken& cancel) const;

private:
    std::shared_ptr<const CaptureStore> m_capture;
    std::vector<EndsByGroup> m_ranks;
};

/// The collectives of two ranks of a group, paired as peersOf pairs them.
struct PairedEnds {
    /// Of each own one the place in the other list; each at most once.
    std::vector<std::optional<std::size_t>> partners;
    ClockLine line;          ///< From the own clock to the other.
    std::int64_t reach = 0;  ///< ns that ends of one collective may be apart on a common clock.
};
/// @param own, other  By end. @return nullopt if the lists do not fit together. O(ends * log).
std::optional<PairedEnds> pairEnds(const std::vector<CollectiveEnd>& own, const std::vector<CollectiveEnd>& other);

/// Whether a slice stands for a collective: it lies on a group's track.
bool isCollective(const TraceStore& trace, SliceIndex slice);

}  // namespace altiscope
