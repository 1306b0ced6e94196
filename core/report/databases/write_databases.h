#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/report/deliverables/deliverables.h"
#include "core/store/capture_store.h"

#include <string>
#include <utility>
#include <vector>

namespace altiscope {

/// Facts of the run that torch_npu keeps in META_DATA: names, and values as JSON.
using DatabaseFacts = std::vector<std::pair<std::string, std::string>>;

/// Writes the databases that the vendors' analysis makes of a rank: in the Cann dialect `msprof_STAMP.db` and
/// `analyze/communication_analyzer.db`, in the Torch dialect `ascend_pytorch_profiler_RANK.db` and `analysis.db` in
/// `ASCEND_PROFILER_OUTPUT`. Those of communication and steps are written only if there is any.
/// Source: core/report/deliverables/FORMAT.md section 7.
/// @param rank  Sealed, from raw data: from other sources what only raw data says cannot be written.
/// @return Error as writeDeliverables. Files that were written before stay, one that was being written may be left.
/// @note   One thread; reads the raw data again. Memory: records of the tasks, some hundred bytes each.
Result<DeliverableSummary> writeDatabases(const RankEntry& rank, const DeliverableRequest& request,
                                          const DatabaseFacts& facts, const CancelToken& cancel);

}  // namespace altiscope
