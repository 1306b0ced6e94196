#pragma once

#include "core/import/files/folder_listing.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Files of a kind that is known by name and not read yet.
struct UnreadKind {
    std::string_view what;  ///< For the catalogue: "SoRA features".
    std::string place;      ///< The first folder that has them, from the listing's root.
    std::uint64_t files = 0;
};

/// Kinds of files that captures leave and nothing here reads: features of SoRA (data.jsonl beside the folder features
/// with *.pt). Each kind once.
std::vector<UnreadKind> unreadKinds(const FolderListing& listing);

}  // namespace altiscope::reader
