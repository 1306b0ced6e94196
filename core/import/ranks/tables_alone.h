#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/store/rows/row_kinds.h"

#include <span>
#include <string_view>

namespace altiscope::reader {

// Which rows of a rank can be read from its table files alone, without its timeline, which may take minutes to read.

/// Whether a rank is read from raw records, which come as a whole and say themselves what is missing.
bool isReadFromRaw(const RankManifest& rank);

/// Whether all rows of these kinds stand in files of their own, so that they are the same without the rank's timeline:
/// those of raw data come with its timeline, those of a profiler database are partly rows of the database itself, and
/// kernels of old MindSpore get their times from the timeline.
bool standInTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds);

/// Whether a rank has table files that may hold rows of these kinds.
bool hasTablesOf(const RankManifest& rank, std::span<const RowKind> kinds);

/// The rank with the table files alone that may hold rows of these kinds, and without timeline.
RankManifest withTablesAlone(const RankManifest& rank, std::span<const RowKind> kinds);

}  // namespace altiscope::reader
