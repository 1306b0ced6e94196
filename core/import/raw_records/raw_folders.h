#pragma once

#include "core/import/contracts/capture_manifest.h"

#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// A folder and its name relative to the capture.
using RawFolder = std::pair<std::filesystem::path, std::string>;
/// The folders that a source of raw data stands for: a PROF folder alone, or the folder of a framework's rank with all
/// of them.
struct RawFolders {
    std::vector<RawFolder> profs;         ///< By name; in the folder of a rank those that can be read.
    std::vector<std::string> unreadable;  ///< Names of the others.
    std::optional<RawFolder> framework;
};
RawFolders rawFolders(const SourceFile& file);

/// Whether a PROF folder has records of a device, or of the host alone, with a chip whose records are read. Those of
/// light collections and of samples alone have no log of tasks.
bool hasReadableTasks(const std::filesystem::path& path, const std::string& name);

/// The files that a source is read from, sorted; also those of which only the begin of a name is known.
std::vector<std::filesystem::path> rawFilesOf(const SourceFile& file);

}  // namespace altiscope::reader
