#include "core/store/cache/private_folder.h"

#include <cerrno>

#include <sys/stat.h>
#include <unistd.h>

namespace altiscope {

bool makePrivateFolder(const std::filesystem::path& folder, std::error_code& error) {
    const std::filesystem::path path = folder.has_filename() ? folder : folder.parent_path();
    if (std::filesystem::is_directory(path, error)) return true;
    error.clear();
    if (path.has_parent_path()) std::filesystem::create_directories(path.parent_path(), error);
    if (error) return false;
    if (::mkdir(path.c_str(), S_IRWXU) == 0) return true;
    error = std::error_code(errno, std::generic_category());
    std::error_code unknown;
    // Somebody else was faster.
    if (error != std::errc::file_exists || !std::filesystem::is_directory(path, unknown)) return false;
    error.clear();
    return true;
}

bool isPrivateFolder(const std::filesystem::path& folder) {
    struct stat status {};
    if (::stat(folder.c_str(), &status) != 0) return true;
    return status.st_uid == ::geteuid() && (status.st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

}  // namespace altiscope
