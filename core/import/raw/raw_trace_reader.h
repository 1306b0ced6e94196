#pragma once

#include "core/import/contracts/trace_reader.h"
#include "core/import/files/folder_listing.h"

#include <memory>
#include <optional>

namespace altiscope::reader {

/// A PROF folder as a source of events, if the records of its chip are read and there are some; nullopt: it has to be
/// analysed elsewhere.
std::optional<SourceFile> rawSource(const ListedFolder& prof);
/// The folder of a framework's rank likewise, with all its PROF folders and what the framework wrote itself.
std::optional<SourceFile> rawRankSource(const ListedFolder& rank);

/// Reads unanalysed raw data: host calls, device tasks with the names of their operators, collectives and
/// their tasks, overlap of both, flows from launch to task, the tables of kernels and of communication; of PyTorch
/// operators, its queue, stacks, memory and collections of garbage. "raw.read" (info) counts what came of it,
/// "raw.not_read" (lost) names what lies there and is not read; "raw.bad_time" (lost), "raw.ambiguous" (lost: tasks
/// that several tasks of the host may be), what core/import/raw_records/FORMAT.md says of damage, and what raw_host.h,
/// raw_device.h, raw_torch.h and raw_mindspore.h say.
std::unique_ptr<TraceReader> makeRawReader();

}  // namespace altiscope::reader
