#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"

#include <span>
#include <string_view>

namespace altiscope::reader {

// Sums and means of the hardware and of the system over a recording, which have no times. Source:
// core/import/csv/FORMAT.md section 15.

/// TableFile::format of all of them.
inline constexpr std::string_view kHardwareFormat = "hardware_stat";

/// Names of the files, without stamp and ending.
std::span<const std::string_view> hardwareFiles();

/// Fills `hardware_stat`: a row for each number. A cell that is none is reported ("csv.bad_number").
/// @return Error of eachCsvRecord().
Result<Done> readHardwareStats(const SourceFile& file, TableContext& context);

}  // namespace altiscope::reader
