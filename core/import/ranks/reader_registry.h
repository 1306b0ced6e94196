#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/contracts/group_directory.h"
#include "core/import/contracts/trace_reader.h"

#include <memory>
#include <vector>

namespace altiscope::reader {

/// The reader for a format, or null if there is none (yet).
std::unique_ptr<TraceReader> makeReader(SourceFormat format);

/// Traits of a timeline's format that reading a rank must know.
struct FormatTraits {
    /// Whether one reader reads all files of a rank, see TraceReader::finish().
    bool joinsFiles = false;
    /// Whether tables of operators, kernels and memory are filled with the timeline, so that they cannot be read alone.
    bool fillsTables = false;
    /// Whether each event is a record of the file, so that one that stands there twice is reported.
    bool hasEventRecords = false;
    /// Unit of SourcePos, for messages; Whole: nothing that a person could go to.
    PlaceUnit position = PlaceUnit::Byte;
};
const FormatTraits& traitsOf(SourceFormat format);

/// Adds the communication groups that timelines name, of whatever format: see addDatabaseGroups(), addMonitorGroups().
void addGroupsOfTimelines(const std::vector<RankManifest>& ranks, GroupDirectory& groups, Diagnostics& diagnostics,
                          const CancelToken& cancel);

/// Where an event stands in a file of this format.
Place placeOfEvent(SourceFormat format, SourcePos pos);

/// Makes the reader of arguments in a file of this format; null: none. Opens the file at the first request.
/// @param file  As it was when it was read: another size or time of change later means that its places are void.
std::shared_ptr<const ArgumentSource> makeArgumentSource(const SourceFile& file);

}  // namespace altiscope::reader
