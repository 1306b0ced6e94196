#pragma once

#include "core/import/contracts/trace_reader.h"

#include <memory>

namespace altiscope::reader {

/// The reader for a format, or null if there is none (yet). What else a new format takes: CONTRIBUTING.md.
std::unique_ptr<TraceReader> makeReader(SourceFormat format);

/// Whether one reader reads all files of a rank, see TraceReader::finish().
bool joinsFiles(SourceFormat format);

/// What reads arguments back from a file of this format, or null. Opens the file at the first request.
/// @param file  As it was when it was read: another size or time of change later means that its places are void.
std::shared_ptr<const ArgumentSource> makeArgumentSource(const SourceFile& file);

}  // namespace altiscope::reader
