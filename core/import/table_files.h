#pragma once

#include "core/import/capture_manifest.h"
#include "core/import/folder_listing.h"

#include <string_view>
#include <vector>

namespace altiscope::reader {

// Formats of TableFile besides the names of csvFormats().
inline constexpr std::string_view kCommunicationFormat = "communication";
inline constexpr std::string_view kMatrixFormat = "communication_matrix";

/// The files of a folder that fill row tables, in the order in which they are read: of several exports the newest, of files that hold the
/// same table the preferred, of a file in slices all of them. Source: formats/csv.md section 1, README.md section 2.
std::vector<TableFile> tableFiles(const ListedFolder& folder);

/// Whether a file is read beside a timeline database, because those have no table for it. Source: formats/README.md section 3.
bool isKeptBesideDatabase(std::string_view format);

}  // namespace altiscope::reader
