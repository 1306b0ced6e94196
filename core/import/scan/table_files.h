#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"
#include "core/import/scan/db_sources.h"

#include <string_view>
#include <vector>

namespace altiscope::reader {

// Formats of TableFile besides the names of csvFormats().
inline constexpr std::string_view kCommunicationFormat = "communication";
inline constexpr std::string_view kMatrixFormat = "communication_matrix";

/// The files of a folder that fill row tables, in the order in which they are read: of several exports the newest, of
/// files that hold the same table the preferred, of a file in slices all of them. Source: core/import/csv/FORMAT.md
/// section 1 and core/import/scan/FORMAT.md section 2.
/// Cancelled, some are missing.
std::vector<TableFile> tableFiles(const ListedFolder& folder, const CancelToken& cancel);

/// The slices of the newest task_time of a folder, in their order, as a timeline: for ranks that have no other. Reads a
/// line of each.
std::vector<SourceFile> taskTimelines(const ListedFolder& folder, const CancelToken& cancel);

/// The files of a rank that are read: beside a timeline database only those of tables that it does not hold.
/// Recorded steps and communication are in text files and in analysis.db (communication_analyzer.db) alike: a rank
/// of a database takes the latter, any other one the former, unless the user prefers the other, and for each of the
/// tables the other one where that is missing, never both. Tables left out are reported ("tables_not_taken"),
/// and so is an analysis.db that cannot be opened.
/// @param found    tableFiles() of the rank's output.
/// @param folders  Where an analysis.db may lie, and communication files that `found` has not: the output, then others.
/// Source: core/import/scan/FORMAT.md section 3. Opens analysis.db where it may be needed: a millisecond.
std::vector<TableFile> chosenTables(std::vector<TableFile> found, SourceKind source,
                                    const std::vector<const ListedFolder*>& folders, const SourceChoice& choice,
                                    Diagnostics& diagnostics);

/// Whether a file is an analysis.db or communication_analyzer.db, by its name; some are renamed.
bool isAnalysisDatabase(std::string_view name);

/// Whether a file is read beside a timeline database, because those have no table for it. Source:
/// core/import/scan/FORMAT.md section 3.
bool isKeptBesideDatabase(std::string_view format);

}  // namespace altiscope::reader
