#pragma once

#include "core/import/files/folder_listing.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Data that the raw files of a rank will show once analysed, in the words of fileContent() and MissingData,
/// sorted: by the names of the files in FRAMEWORK, host/data and device_N/data, of which some thousand are looked at.
/// The files are not opened. Source: core/import/scan/FORMAT.md sections 2 and 5.
/// @param folder  A rank's folder, or a PROF folder.
std::vector<std::string> rawContents(const FolderListing& listing, const ListedFolder& folder);

/// Content of a file of raw data, by its name; empty if it is not known.
std::string_view rawContentOf(std::string_view fileName);

}  // namespace altiscope::reader
