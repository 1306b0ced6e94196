#pragma once

#include "core/analysis/collectives/clock_fit.h"
#include "core/analysis/collectives/collective_groups.h"
#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// The collectives of one rank by group, in the order of their ends. Sends and receives are apart from those, see
/// isTransferGroup.
using EndsByGroup = std::map<std::string, std::vector<CollectiveEnd>, std::less<>>;

/// What the pairing of collectives over ranks rests on: the slices on group tracks by the name of their group (its
/// digits where no file states the groups), each with what it was: its kind, and its size where the profiler states it;
/// never the number in its name.
/// @return Empty without events, or if cancelled. O(collectives * log).
EndsByGroup collectiveEnds(const RankEntry& rank, const CaptureGroups& directory, const CancelToken& cancel);

/// What a collective of a rank is, as a number that is equal on all ranks: its kind, and its size where the rows of
/// `bandwidth` state it. The rank must outlive it.
class CollectiveSizes {
public:
    explicit CollectiveSizes(const RankEntry& rank);
    std::size_t what(std::string_view opName) const;

private:
    std::unordered_map<std::string_view, std::int64_t> m_sizes;
};

/// The name in EndsByGroup of the sends and receives of a group.
std::string transferGroup(std::string_view group);
/// Whether a name in EndsByGroup, which ends in a line break then, is that of a group's sends and receives. Who belongs
/// to whom is known in groups of two only.
bool isTransferGroup(std::string_view name);

}  // namespace altiscope
