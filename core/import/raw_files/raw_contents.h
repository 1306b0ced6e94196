#pragma once

#include "core/import/files/folder_listing.h"

#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// What the raw data of a rank will show once it has been analysed, in the words of fileContent() and MissingData,
/// sorted: by the names of the files in FRAMEWORK, host/data and device_N/data, of which some thousand are looked at.
/// Nothing of them is read. Source: core/import/scan/FORMAT.md sections 2 and 5.
/// @param folder  A rank's folder, or a PROF folder.
std::vector<std::string> rawContents(const FolderListing& listing, const ListedFolder& folder);

/// What a file of raw data brings, by its name; empty if nothing is known of it.
std::string_view rawContentOf(std::string_view fileName);

}  // namespace altiscope::reader
