#include "core/session/raw_capture_search.h"

#include <algorithm>
#include <string>
#include <system_error>

namespace altiscope {

namespace {

namespace rawfs = std::filesystem;

constexpr int kDeepestCapture = 6;
constexpr std::size_t kMostFolderLooks = 200'000;

bool isRealFolder(const rawfs::path& path) {
    std::error_code error;
    return rawfs::is_directory(rawfs::symlink_status(path, error));
}

/// The real folders in a folder, by name.
std::vector<rawfs::path> foldersIn(const rawfs::path& folder, std::size_t& looks, const CancelToken& cancel) {
    std::vector<rawfs::path> folders;
    std::error_code error;
    for (rawfs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (++looks > kMostFolderLooks || cancel.cancelled()) break;
        if (isRealFolder(at->path())) folders.push_back(at->path());
    }
    std::sort(folders.begin(), folders.end());
    return folders;
}

bool isProfFolder(const rawfs::path& folder, const std::vector<rawfs::path>& within) {
    if (!folder.filename().string().starts_with("PROF_")) return false;
    return std::any_of(within.begin(), within.end(), [](const rawfs::path& one) {
        const std::string name = one.filename().string();
        return name == "host" || name.starts_with("device_");
    });
}

bool isFrameworkFolder(const rawfs::path& folder, const std::vector<rawfs::path>& within) {
    const std::string name = folder.filename().string();
    const bool isNamed = name.ends_with("_ascend_pt") || name.ends_with("_ascend_ms");
    return std::any_of(within.begin(), within.end(), [isNamed](const rawfs::path& one) {
        const std::string inner = one.filename().string();
        return inner == "FRAMEWORK" || (isNamed && inner.starts_with("PROF_"));
    });
}

void search(const rawfs::path& folder, int depth, std::size_t& looks, const CancelToken& cancel,
            std::vector<RawCaptureFolder>& found) {
    const std::vector<rawfs::path> within = foldersIn(folder, looks, cancel);
    if (isFrameworkFolder(folder, within)) return found.push_back({folder, true});
    if (isProfFolder(folder, within)) return found.push_back({folder, false});
    if (depth == kDeepestCapture) return;
    for (const rawfs::path& one : within) {
        if (looks > kMostFolderLooks || cancel.cancelled()) return;
        search(one, depth + 1, looks, cancel, found);
    }
}

}  // namespace

std::vector<RawCaptureFolder> findRawCaptures(const std::filesystem::path& folder, const CancelToken& cancel) {
    std::vector<RawCaptureFolder> found;
    std::size_t looks = 0;
    // "." and a slash at the end have no name.
    std::error_code error;
    const rawfs::path named = rawfs::canonical(folder, error);
    if (!error) search(named, 0, looks, cancel, found);
    return found;
}

}  // namespace altiscope
