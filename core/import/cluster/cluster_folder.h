#pragma once

#include "core/import/contracts/capture_manifest.h"
#include "core/import/files/folder_listing.h"

#include <optional>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// The cluster analysis that a folder holds; nullopt if it holds none. A folder is one by its name; by its files it is
/// one too where users renamed it, but the list of groups alone makes only the opened folder one.
/// @param run  The folder of the run that was analysed, relative to the capture.
std::optional<ClusterManifest> clusterIn(const ListedFolder& folder, const std::string& run);

/// Whether a folder lies in another one, or is it; both relative to the capture.
bool liesIn(std::string_view folder, std::string_view outer);

}  // namespace altiscope::reader
