#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/import/contracts/capture_manifest.h"

namespace altiscope::reader {

/// Names the files of a rank that are read by documentation alone, without a file of a real run to check against
/// ("reader.experimental", info). Source: the marks [D] in formats.
/// @param cancel  Polled for each file.
void reportExperimental(const RankManifest& rank, Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
