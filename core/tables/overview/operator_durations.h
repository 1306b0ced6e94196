#pragma once

#include "core/base/values/cancel.h"
#include "core/store/capture_store.h"
#include "core/tables/scope/context_filter.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope {

/// How long each kernel of an operator type took, ns: the rows of the SQL table `kernel` of the ranks, steps and times
/// that the context holds; by rank, in the order of the table.
/// @param type, core  As in `op_stat`; a core that is empty is any.
/// @return nullopt if cancelled.
/// @note  Any thread; parallel over ranks on the arena. O(kernels), some ms a million.
std::optional<std::vector<std::int64_t>> operatorDurations(const CaptureStore& capture, const ContextFilter& context,
                                                           std::string_view type, std::string_view core,
                                                           const CancelToken& cancel);

}  // namespace altiscope
