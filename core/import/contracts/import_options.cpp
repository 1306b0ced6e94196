#include "core/import/contracts/import_options.h"

namespace altiscope::reader {

std::optional<TimeRange> RankChoice::windowOf(const std::string& rank) const {
    const auto own = windows.find(rank);
    return own == windows.end() ? window : std::optional(own->second);
}

}  // namespace altiscope::reader
