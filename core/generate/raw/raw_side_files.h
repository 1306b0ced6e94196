#pragma once

#include "core/generate/raw/raw_clocks.h"
#include "core/generate/support/output_target.h"

#include <cstdint>
#include <filesystem>
#include <string>

namespace altiscope::generate {

/// Name of a rank's PROF folder: number, begin of the collection, letters.
std::string profFolder(const Run& run, std::uint32_t rank);

/// Writes the small files of a PROF folder: chip, clocks, switches, of the host and of its one device.
/// Source: core/import/raw_records/FORMAT.md.
Result<Done> writeRawSideFiles(const Run& run, std::uint32_t rank, OutputTarget& target,
                               const std::filesystem::path& prof);

}  // namespace altiscope::generate
