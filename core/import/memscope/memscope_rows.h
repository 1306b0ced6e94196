#pragma once

#include "core/base/values/cancel.h"
#include "core/import/memscope/memscope_replay.h"
#include "core/store/rows/row_builder.h"

namespace altiscope::reader {

/// Columns of `allocation` that only dumps with accesses fill; ns, as reals.
inline constexpr const char* kFirstUseColumn = "first_use";
inline constexpr const char* kMaxIdleColumnLength = "longest_idle";
inline constexpr const char* kUnusedEndColumn = "unused_end";

/// Makes rows of a dump that was replayed: memory_sample, allocation, snapshot_event, snapshot_block.
/// @return False if cancelled. Source: core/import/memscope/FORMAT.md section 4.
bool addMemscopeRows(const MemscopeDump& dump, const MemscopeBlocks& blocks, RowTablesBuilder& builder,
                     const CancelToken& cancel);

}  // namespace altiscope::reader
