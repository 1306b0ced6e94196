#pragma once

#include "core/import/contracts/trace_reader.h"
#include "core/import/sqlite/db_schema.h"

#include <filesystem>
#include <memory>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// "python_trace_20260527062213.csv": calls of Python that msMemScope writes beside a dump in CSV.
bool isPythonTraceName(std::string_view name);

/// Tables of calls of Python in a database of msMemScope, one for each process.
std::vector<const DbTable*> pythonTraceTables(const DbSchema& schema);
/// Whether a database has one with rows. False if it cannot be opened.
bool holdsPythonTrace(const std::filesystem::path& path);

/// Reads calls of Python, of a database or a CSV file by its first bytes: a slice per call on a track of its thread.
/// Calls whose begin or end was not recorded are joined with what states the other one, else drawn from the first or
/// up to the last moment of their thread, and counted ("memscope.open_calls", info). Damage is counted and located as
/// in any database ("db.*") or table ("csv.*"); that of a database's pages by the reader of its dump. One thread.
/// Source: core/import/memscope/FORMAT.md section 6.
std::unique_ptr<TraceReader> makePythonTraceReader();

}  // namespace altiscope::reader
