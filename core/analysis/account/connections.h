#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope {

/// No call and task have this one.
inline constexpr std::int64_t kNoConnection = -1;

/// The `connection_id` of slices, by which a call of CANN and the tasks that it launched are known to belong together,
/// also where no flow joins them (events, tasks of collectives); kNoConnection where a slice has none. Read back from
/// the source: source core/import/trace/FORMAT.md section 5.
/// @return As `slices`; none known if the rank has no arguments. Incomplete if cancelled. Any thread; parallel on the
/// arena. O(slices * log), and their arguments are read.
std::vector<std::int64_t> connectionsOf(const RankEntry& rank, const std::vector<SliceIndex>& slices,
                                        const CancelToken& cancel);

/// The same of any number among the arguments. @param quotedKey  As valueAfter() takes it.
std::vector<std::int64_t> argumentNumbers(const RankEntry& rank, const std::vector<SliceIndex>& slices,
                                          std::string_view quotedKey, const CancelToken& cancel);

}  // namespace altiscope
