#include "core/import/contracts/import_options.h"

#include <algorithm>

namespace altiscope::reader {

std::optional<TimeRange> RankChoice::windowOf(const std::string& rank) const {
    const auto own = windows.find(rank);
    return own == windows.end() ? window : std::optional(own->second);
}

bool RankChoice::accepts(const RankInfo& rank) const {
    if (!onlyNumbers) return true;
    return rank.rankId && std::find(onlyNumbers->begin(), onlyNumbers->end(), *rank.rankId) != onlyNumbers->end();
}

}  // namespace altiscope::reader
