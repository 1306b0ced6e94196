#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/table_reader.h"

#include <filesystem>
#include <string_view>

namespace altiscope::reader {

/// TableFile::format of a dump of msMemScope (msLeaks).
inline constexpr std::string_view kMemscopeFormat = "memscope_dump";

/// "memscope_dump_20260527062213.db", "leaks_dump_1.db".
bool isMemscopeName(std::string_view name);

/// Whether a database has the table of a dump, whatever its name. False if it cannot be opened.
bool holdsMemscope(const std::filesystem::path& path);

/// Reads a dump into memory_sample, allocation, snapshot_event and snapshot_block. What is damaged is counted and
/// located as in any database ("db.*"); what does not fit together is counted ("memscope.*").
///
/// @return Error of CheckedDatabase::open; "memscope.no_table" if there is no table of events. Cancelled.
/// @note   Memory: about 200 bytes for an event and the different texts; beside the rows. One thread.
///         Source: core/import/memscope/FORMAT.md.
Result<Done> readMemscope(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
