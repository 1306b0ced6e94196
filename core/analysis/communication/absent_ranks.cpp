#include "core/analysis/communication/absent_ranks.h"

#include "core/analysis/communication/communication_choices.h"

#include <algorithm>
#include <iterator>
#include <set>

namespace altiscope {

namespace {

/// Greater numbers are none of ranks in a row.
constexpr std::int64_t kMaxRanks = 1 << 20;

}  // namespace

AbsentRanks absentRanks(const CaptureStore& capture) {
    std::set<std::int64_t> present, members;
    for (const RankEntry& rank : capture.ranks) {
        if (!rank.info.rankId) return {};
        present.insert(*rank.info.rankId);
    }
    for (const CommunicationGroup& group : knownGroups(capture)) members.insert(group.ranks.begin(), group.ranks.end());
    if (present.size() > 1 && *present.rbegin() < kMaxRanks) {
        for (std::int64_t rank = 0; rank < *present.rbegin(); ++rank) members.insert(members.end(), rank);
    }
    AbsentRanks absent;
    std::set_difference(members.begin(), members.end(), present.begin(), present.end(),
                        std::back_inserter(absent.ranks));
    members.insert(present.begin(), present.end());
    absent.all = members.size();
    return absent;
}

}  // namespace altiscope
