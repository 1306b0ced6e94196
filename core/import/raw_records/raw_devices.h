#pragma once

#include "core/base/text/diagnostics.h"
#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace altiscope::reader {

/// A device_N folder of a PROF folder.
struct RawDevice {
    std::int64_t device = 0;             ///< N.
    std::optional<std::int64_t> rankId;  ///< As its info.json.N says; -1 there is none.
    const ListedFolder* folder = nullptr;
};

/// Host and devices of a PROF folder, from the small files beside the raw data. Source: core/import/scan/FORMAT.md
/// section 4.
struct RawIdentity {
    std::string host;                ///< Empty if none is stated.
    std::vector<RawDevice> devices;  ///< By device.
};

/// Reads them; faults of the files go to `diagnostics`, as readMetadata says.
RawIdentity rawIdentity(const FolderListing& listing, const ListedFolder& prof, Diagnostics& diagnostics);

}  // namespace altiscope::reader
