#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// A regular file of a folder.
struct ListedFile {
    explicit ListedFile(std::string fileName, std::uint64_t bytes = 0);

    std::string name;
    std::uint64_t size = 0;
    std::string_view content;  ///< fileContent() of its name: looked at many times, and there may be 10^5 files.
};

/// A folder with what lies directly in it, sorted by name.
struct ListedFolder {
    std::filesystem::path path;
    std::string name;      ///< Its own name.
    std::string relative;  ///< From the listing's root, '/' between parts; "." for the root.
    std::vector<ListedFile> files;
    std::vector<std::size_t> folders;  ///< Numbers in FolderListing::folders.

    const ListedFile* file(std::string_view fileName) const;
    /// Name of one of its files, relative to the listing's root.
    std::string relativeTo(std::string_view fileName) const;
};

/// A folder and those below it. Entry 0 is the root; every folder stands after its parent.
struct FolderListing {
    std::vector<ListedFolder> folders;
    std::size_t skippedLinks = 0;

    const ListedFolder* child(const ListedFolder& folder, std::string_view name) const;
};

/// How far a listing goes: captures are flat, and a home folder opened by mistake must not take minutes.
struct ListingLimits {
    std::size_t depth = 12;
    std::size_t entries = 200000;
};

/// Whether a folder holds raw binary data: thousands of files, which a listing leaves to their readers (raw_files.h).
/// @param parent  Name of the folder that it lies in.
bool holdsRawData(std::string_view parent, std::string_view name);

/// Lists folders and regular files below `root`, with sizes. Symbolic links are not followed (they may lead out of the
/// capture, or in circles): "scan.link_skipped" names the first hundred, lost if one has the name of a profiler's file,
/// else info. Folders of raw binary data (FRAMEWORK, sqlite, and data below host and device_N) are listed without their
/// content. "scan.denied" (lost) names a folder that cannot be listed, "scan.depth_limit" (info) one that is too deep,
/// "scan.entry_limit" (lost) the one in which the listing ended, both with the limit. "scan.special_file" names the
/// first hundred pipes, sockets and devices: lost if readers would look for a file of that name, else info.
/// "file.unreadable" names a file whose size the system does not state: lost if readers look for it, else info.
/// "scan.folder_for_file" (lost) names a folder that has the name of such a file, "scan.left_over" (info) one that an
/// analysis needs or has left, which is not listed. Polls `cancel` for each entry.
///
/// @return Error "capture.denied" if the root itself cannot be listed.
Result<FolderListing> listFolders(const std::filesystem::path& root, const ListingLimits& limits,
                                  Diagnostics& diagnostics, const CancelToken& cancel);

}  // namespace altiscope::reader
