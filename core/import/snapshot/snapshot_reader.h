#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/table_reader.h"

#include <string_view>

namespace altiscope::reader {

/// TableFile::format of a memory snapshot.
inline constexpr std::string_view kSnapshotFormat = "memory_snapshot";

/// Reads a memory snapshot of PyTorch or torch_npu (`.pkl`, `.pickle`) into `snapshot_event` and `snapshot_block`.
/// Nothing of the pickle is executed. Contradictions are counted: "snapshot.*" of the catalogue.
///
/// @return Error of ReadOnlyFile, or of PickleMachine, pickleExtent and snapshotContent: no row then. Cancelled.
/// @note   Memory while it reads: about 75 bytes for an entry and the different texts; beside the rows, about 60.
///         Source: core/import/snapshot/FORMAT.md.
Result<Done> readSnapshot(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
