#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"
#include "core/import/scan/db_sources.h"

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::reader {

/// A rank of which there is a dump of msMemScope alone; its device is in the name of a folder around it, "device_3".
/// Calls of Python that a database holds are its timeline.
RankManifest memscopeRank(const std::filesystem::path& path, const std::string& name, std::uint64_t size,
                          const SourceChoice& choice, Diagnostics& diagnostics);

/// A rank of which there are calls of Python alone, python_trace_*.csv.
RankManifest pythonTraceRank(const std::filesystem::path& path, const std::string& name, std::uint64_t size);

/// Adds the dumps of a listing, by their names, each as a rank of its own: it has a clock, a process and an allocator's
/// history of its own, whatever lies beside it. Calls of Python beside the only dump of a folder, in CSV like it, are
/// its timeline; others are ranks of their own. Incomplete if cancelled.
/// Source: core/import/memscope/FORMAT.md.
void addMemscopeDumps(const FolderListing& listing, const SourceChoice& choice, std::vector<RankManifest>& ranks,
                      Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
