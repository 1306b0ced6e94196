#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/store/columns/argument_source.h"
#include "core/store/columns/trace_store.h"

namespace altiscope::reader {

/// Reports slices that stand again: on the track, with the name, the category, both times and the arguments of one
/// before them in its file. All are shown, so sums are too large. In traces "repeated_event", with the byte; in
/// databases "db.repeated_row", with the row. Raw data says itself what stands there twice.
/// @param arguments  Of the rank; requested for slices that agree in all else.
/// Cost: a look at each slice, of sound files some ms for a million.
void reportRepeatedEvents(const TraceStore& trace, const RankManifest& rank, const ArgumentSource& arguments,
                          Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
