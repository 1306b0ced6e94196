#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/csv_format.h"
#include "core/import/contracts/group_directory.h"
#include "core/store/rows/row_builder.h"

#include <cstddef>

namespace altiscope::reader {

class ClusterKeys;

/// Context of a reader of summary files while it reads one file.
struct TableContext {
    RowTablesBuilder& builder;  ///< Builder of the tables of the file's rank.
    Diagnostics& diagnostics;   ///< Touched on the calling thread only.
    ProgressSlot& progress;     ///< Gets the bytes that were read; its total already holds the file's size.
    const CancelToken& cancel;
    std::size_t chunkBytes;
};

/// Reads a CSV file into the row table of its format, on all workers of the arena. A bad cell is left empty, a record
/// that says nothing is dropped; both are counted and located ("csv.*" of the catalogue). Rows do not depend on chunks
/// or threads.
///
/// @return Error of ReadOnlyFile, or "csv.no_column" if the header lacks a column without which records say nothing. A
///         file without any content is none.
/// @note   Memory: some chunks, and the packed rows. Source: core/import/csv/FORMAT.md section 1.
Result<Done> readCsv(const SourceFile& file, const CsvFormat& format, TableContext& context);

/// Read communication.json (collective, bandwidth, packet) and communication_matrix.json (link) of one rank, of a
/// framework or as CANN writes them. Where the nesting breaks, what was read before stays: "communication.*" of the
/// catalogue.
/// @return Error of ReadOnlyFile.
/// @note   Memory: some chunks, and the packed rows. Source: core/import/communication/FORMAT.md sections 1-3.
Result<Done> readCommunication(const SourceFile& file, const GroupDirectory& groups, TableContext& context);
Result<Done> readCommunicationMatrix(const SourceFile& file, const GroupDirectory& groups, TableContext& context);

/// The same of a cluster_analysis_output: rows of all ranks, with further columns that say whose they are
/// (communication_rows.h). An object whose keys name no rank gives no row: "cluster.no_rank".
/// @param keys  Gets the keys of all objects.
/// Source: core/import/communication/FORMAT.md section 4.
Result<Done> readClusterCommunication(const SourceFile& file, const GroupDirectory& groups, ClusterKeys& keys,
                                      TableContext& context);
Result<Done> readClusterMatrix(const SourceFile& file, const GroupDirectory& groups, ClusterKeys& keys,
                               TableContext& context);

}  // namespace altiscope::reader
