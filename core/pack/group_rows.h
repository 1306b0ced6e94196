#pragma once

#include "core/base/values/cancel.h"
#include "core/store/rows/row_table.h"

#include <memory>
#include <span>

namespace altiscope::pack {

/// Rows of no rank (comm_group) of several captures or packs as those of one: equal ones once. Null if there are none,
/// or it was cancelled. Must run inside a WorkerArena.
/// @param groups  Each may be null. A single one is given back as it is.
std::shared_ptr<const RowTables> mergedGroups(std::span<const std::shared_ptr<const RowTables>> groups,
                                              const CancelToken& cancel);

}  // namespace altiscope::pack
