#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::test {

enum class ArchiveKind { Zip, Tar, TarGz, TarZst, Gz, Zst };

/// Something to be packed. With a target it is a symbolic link.
struct ArchiveItem {
    enum class Type { File, Folder, Link, HardLink, Pipe, Device };

    std::string name;
    std::string content{};  ///< Of a link: where it points to.
    Type type = Type::File;
};

/// Writes an archive with exactly these members, whatever their names are. Gz and Zst hold the content of the only one.
/// @param password  For a .zip; empty: none.
void writeArchive(const std::filesystem::path& path, ArchiveKind kind, const std::vector<ArchiveItem>& items,
                  const std::string& password = {});

/// The folders and files below a folder, named from it, in order.
std::vector<ArchiveItem> itemsOf(const std::filesystem::path& folder);

}  // namespace altiscope::test
