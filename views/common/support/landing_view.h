#pragma once

#include "views/common/support/view_list.h"

#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// The page that shows what a capture is about, if that is not the overview: of a snapshot, a dump or a table alone.
/// @param present  Words of RankInfo::present of all its ranks.
/// @return nullopt: the overview has something to show, or no page is about it.
std::optional<ViewId> landingView(const std::vector<std::string_view>& present);

}  // namespace altiscope
