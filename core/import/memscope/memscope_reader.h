#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/table_reader.h"

#include <filesystem>
#include <string_view>

namespace altiscope::reader {

/// TableFile::format of a dump of msMemScope (msLeaks).
inline constexpr std::string_view kMemscopeFormat = "memscope_dump";

/// "memscope_dump_20260527062213.db", "leaks_dump_1.csv".
bool isMemscopeName(std::string_view name);

/// Whether a database has the table of a dump, whatever its name. False if it cannot be opened.
bool holdsMemscope(const std::filesystem::path& path);
/// Whether a file begins with the heading of a dump in CSV, whatever it is called.
bool beginsAsMemscopeCsv(const std::filesystem::path& path);

/// Reads a dump, a database or CSV by its name, into memory_sample, allocation, snapshot_event and snapshot_block.
/// Damage is counted and located as in any database ("db.*") or table ("csv.*"); events that do not fit together are
/// counted ("memscope.*"). A CSV file may be of several processes, which have addresses of their own: the one with most
/// events of memory is read.
///
/// @return Error of CheckedDatabase::open; "memscope.no_table" if there is no table of events; of eachCsvRecord.
///         Cancelled.
/// @note   Memory: about 200 bytes for an event and the different texts; beside the rows. One thread.
///         Source: core/import/memscope/FORMAT.md.
Result<Done> readMemscope(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
