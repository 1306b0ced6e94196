#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/communication/cluster_keys.h"
#include "core/store/rows/row_table.h"

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <vector>

namespace altiscope::reader {

/// Rows of a cluster's files by rank, each with the tables that files of its own would have given.
using ClusterRows = std::map<std::int64_t, std::shared_ptr<const RowTables>>;

/// @param all     Tables of the files, with the further columns of communication_rows.h. Their texts are shared by all
/// ranks.
/// @param sets    Of the matrix. A link belongs to its source, in whose file it would stand.
/// @param isTaken Whether a rank's rows are wanted.
/// @return Cancelled. Uses the workers of the arena. O(rows).
Result<ClusterRows> splitByRank(const RowTables& all, const std::vector<ClusterSet>& sets,
                                const std::function<bool(std::int64_t)>& isTaken, const CancelToken& cancel);

}  // namespace altiscope::reader
