#pragma once

#include "core/base/values/cancel.h"
#include "core/import/database/db_pass.h"
#include "core/import/sqlite/db_checked.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace altiscope::reader {

/// More runs of one task do not begin while another one goes on: the end of that one is wrong.
inline constexpr std::ptrdiff_t kMaxWithinRun = 32;

/// Fills smallTasks and runs of the context. Each run of a graph repeats the rows of its tasks in
/// COMMUNICATION_TASK_INFO as in TASK, by one number: the first one stands for all that say the same; of others the
/// time of their collective may tell which run they are of. A collective in which more than kMaxWithinRun others of
/// the task begin is taken to last until the next one.
/// Source: core/import/database/FORMAT.md section 3.
void addSmallTasks(std::vector<IdGroups<DbContext::SmallTask>::Row> rows, const CheckedDatabase& database,
                   DbContext& context, DbProblemLog& problems, const CancelToken& cancel);

/// Reports runs of tasks of collectives that are not there. The vendor writes none for a collective in which the
/// recording began, or of which it finds no main task; else rows of COMMUNICATION_OP were deleted.
/// @param named  Collectives by opId, with the first row that names each.
void reportMissingCollectives(const CheckedDatabase& database, const std::vector<IdGroups<std::int64_t>::Row>& named,
                              DbProblemLog& problems);

/// Reports collectives that begin before or end after all their parts, from which the vendor takes these times.
/// @param parts  When parts of collectives were, by opId.
void reportMissingParts(const CheckedDatabase& database, std::vector<IdGroups<TimeRange>::Row> parts,
                        DbProblemLog& problems);

}  // namespace altiscope::reader
