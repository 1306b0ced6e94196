#pragma once

#include "core/import/contracts/trace_reader.h"
#include "core/import/files/folder_listing.h"
#include "core/store/columns/argument_source.h"

#include <memory>
#include <optional>

namespace altiscope::reader {

/// A PROF folder as a source of events, if the records of its chip are read and there are some; nullopt: it has to be
/// analysed elsewhere.
std::optional<SourceFile> rawSource(const ListedFolder& prof);

/// Reads a PROF folder that nobody has analysed: host calls, device tasks with the names of their operators, flows from
/// launch to task, and the table of kernels. "raw.read" (info) counts what came of it, "raw.not_read" (info) names what
/// lies there and is not read, "raw.no_collectives" (info) that computed times lack communication;
/// "raw.bad_time" (lost), "raw.ambiguous" (info: tasks that several tasks of the host may be), and what raw_host.h and
/// raw_device.h say.
std::unique_ptr<TraceReader> makeRawReader();
/// Events of raw data have no arguments yet.
std::shared_ptr<const ArgumentSource> makeRawArguments(const SourceFile& file);

}  // namespace altiscope::reader
