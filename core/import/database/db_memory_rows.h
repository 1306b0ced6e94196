#pragma once

#include "core/import/database/db_pass.h"

#include <cstdint>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A word ("app", "read", "allocate") that files of 2023 keep in an enumeration and others among the texts.
std::string_view memoryWord(const DbContext& context, std::int64_t id);

/// Tables of memory as rows: MEMORY_RECORD (memory_sample), OP_MEMORY (allocation), NPU_MODULE_MEM (module_memory), and
/// where the first two are missing, as in plain CANN files, NPU_OP_MEM (into DbPart::memoryEvents). `context` must
/// outlive them. Source: core/import/database/FORMAT.md section 3, "Memory".
std::vector<DbScan> memoryScans(const DbContext& context);

/// The counter table NPU_MEM, whose rows of the process (type app) are samples of the component APP as well: their high
/// bandwidth memory is what it has reserved. @param counter  The scan of its counters, which still gets all rows.
DbScan withProcessMemory(DbScan counter, const DbContext& context);

/// The rows of NPU_OP_MEM: a sample per event, and an allocation per pair of events with the same name and address. A
/// release without an allocation has a negative size, as in the text exports.
/// @param events  In the order of the table.
void addMemoryEvents(std::vector<DbMemoryEvent> events, const DbContext& context, RowTablesBuilder& rows);

}  // namespace altiscope::reader
