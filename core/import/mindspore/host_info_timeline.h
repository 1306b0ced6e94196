#pragma once

#include "core/import/contracts/trace_reader.h"

#include <memory>

namespace altiscope::reader {

/// Makes a timeline of host_info_{rank}.csv: a slice "event::stage" per start and end, instants, and for starts without
/// an end slices "event_stage" that stay open to the end of their track. Records without a time give nothing.
/// Reports "unmatched_end" (lost) and "host_info.start_replaced" (lost: the first of two starts); what
/// eachHostInfoRow() states is left to the tables of the same file. Source: core/import/mindspore/FORMAT.md section 2,
/// rule A.
std::unique_ptr<TraceReader> makeHostInfoReader();

/// Arguments of its slices: the parent process of the record that ended them.
std::shared_ptr<const ArgumentSource> makeHostInfoArguments(const SourceFile& file);

}  // namespace altiscope::reader
