#pragma once

#include "core/import/raw_files/raw_blocks.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_host/raw_host.h"
#include "core/store/raw/task_records.h"
#include "core/store/rows/row_builder.h"

#include <vector>

namespace altiscope::reader {

/// Allocations, releases and plans of the graph engine, in the order of the records.
struct RawGraphMemory {
    std::vector<GraphMemoryRecord> events;
    std::vector<StaticMemoryRecord> planned;
};

/// Reads task_memory_info and static_op_mem. "raw.bad_time" (lost): times that no run has. Source: FORMAT.md, reference
/// B.3.
RawGraphMemory readRawGraphMemory(const RawFiles& files, const RawSettings& settings, const RawHost& host,
                                  RawContext& context);

/// Fills `memory_sample`, `allocation` and `static_memory` as the text export of the same run does: an allocation ends
/// with the next release of its operator, address and device; releases of something else are in no row.
void addRawGraphMemoryRows(const RawGraphMemory& memory, RowTablesBuilder& rows, const CancelToken& cancel);

}  // namespace altiscope::reader
