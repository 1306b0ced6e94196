#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/raw_files/raw_clock.h"
#include "core/import/raw_records/raw_marks.h"
#include "core/store/raw/sample_records.h"

#include <string>
#include <vector>

namespace altiscope::reader {

/// Adds the iterations of models that the marks of a device state, their collectives and what they waited for. Records
/// of one model may come from several iterations at a time: each is put to the first one that has not had its kind.
/// "raw.bad_time" (lost): of times that no run has; "raw.unpaired" (lost): begins of iterations without an end.
/// @param steps  In the order of the records. @param name  Of the folder. Source: FORMAT.md.
void addRawIterations(const std::vector<RawStep>& steps, const RawSettings& settings, const std::string& name,
                      Diagnostics& diagnostics, DeviceSamples& samples);

}  // namespace altiscope::reader
