#include "core/session/files/write_guard.h"

#include "core/base/files/real_place.h"
#include "core/import/files/file_names.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/stat.h>

namespace altiscope {

namespace {

namespace stdfs = std::filesystem;
using reader::FolderKind;

/// Identity of a file or folder for the system, whatever its names are.
struct FileIdentity {
    dev_t device = 0;
    ino_t number = 0;
    bool operator==(const FileIdentity&) const = default;
};

std::optional<FileIdentity> identityOf(const stdfs::path& path) {
    struct stat status {};
    if (::stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

/// As reader::folderKind(), in any case: file systems may not care.
FolderKind kindOf(const stdfs::path& folder) {
    const std::string name = folder.filename().string();
    FolderKind kind = reader::folderKind(name);
    for (int (*const change)(int) : {&::tolower, &::toupper}) {
        if (kind != FolderKind::Other) return kind;
        std::string changed = name;
        std::transform(changed.begin(), changed.end(), changed.begin(),
                       [change](unsigned char c) { return static_cast<char>(change(c)); });
        kind = reader::folderKind(changed);
    }
    return kind;
}

bool isSettingsFile(const std::string& name) {
    return name == "profiler_info.json" || name == "profiler_metadata.json" || reader::rankInInfoName(name).has_value();
}

/// Files that profilers write, or that this program reads but never writes for the user: databases, snapshots.
bool isProfilerFile(const std::string& name) {
    static constexpr std::string_view kNeverOurs[] = {".db", ".db-wal", ".db-shm", ".db-journal", ".pkl", ".pickle"};
    return isSettingsFile(name) || !reader::fileContent(name).empty() ||
           std::any_of(std::begin(kNeverOurs), std::end(kNeverOurs),
                       [&name](std::string_view ending) { return name.ends_with(ending); });
}

/// Whether the files that lie directly in a folder are a profiler's results, whatever the folder is called. A timeline
/// alone, or tables alone, may as well be what somebody saved.
bool holdsProfilerResults(const stdfs::path& folder) {
    static constexpr std::size_t kContents = 3, kLooks = 100'000;
    std::set<std::string_view> contents;
    std::size_t looks = 0;
    std::error_code error;
    for (stdfs::directory_iterator entry(folder, error);
         !error && entry != stdfs::directory_iterator{} && ++looks < kLooks; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (isSettingsFile(name)) return true;
        if (const std::string_view content = reader::fileContent(name); !content.empty()) contents.insert(content);
        if (contents.size() >= kContents && (contents.contains("timeline") || contents.contains("database")))
            return true;
    }
    return false;
}

/// Whether it has a folder of results, as a rank or a PROF folder with another name does.
bool holdsOutput(const stdfs::path& folder) {
    std::error_code error;
    return stdfs::is_directory(folder / "ASCEND_PROFILER_OUTPUT", error) ||
           stdfs::is_directory(folder / "mindstudio_profiler_output", error);
}

/// The folder, or file, that changes with what lies around `opened`, a real path. As the scanner finds the folder of a
/// rank.
stdfs::path outermostFolder(const stdfs::path& opened) {
    static constexpr int kLevels = 3;
    std::error_code error;
    stdfs::path outermost = opened;
    stdfs::path at = stdfs::is_directory(opened, error) ? opened : opened.parent_path();
    if (at != opened && holdsProfilerResults(at)) outermost = at;
    for (int level = 0; at.has_relative_path(); ++level, at = at.parent_path()) {
        const FolderKind kind = kindOf(at);
        const bool isOutput = kind == FolderKind::FrameworkOutput || kind == FolderKind::CannOutput;
        if (isOutput && at.parent_path().has_relative_path()) outermost = at.parent_path();
        else if (kind != FolderKind::Other || (level < kLevels && holdsOutput(at))) outermost = at;
    }
    return outermost;
}

/// Whether one of the files in a folder is the same as this, by another name.
bool hasHardLinkTo(const stdfs::path& folder, const FileIdentity& file) {
    static constexpr std::size_t kLooks = 200'000;  // as a listing of a capture
    std::error_code error;
    std::size_t looks = 0;
    stdfs::recursive_directory_iterator entry(folder, stdfs::directory_options::skip_permission_denied, error);
    for (; !error && entry != stdfs::recursive_directory_iterator{} && ++looks < kLooks; entry.increment(error)) {
        if (entry->is_regular_file(error) && identityOf(entry->path()) == file) return true;
        error.clear();
    }
    return false;
}

}  // namespace

bool liesInProfilerFolder(const stdfs::path& file) {
    const stdfs::path folder = realPlace(file).parent_path();
    for (stdfs::path at = folder; at.has_relative_path(); at = at.parent_path()) {
        if (kindOf(at) != FolderKind::Other) return true;
    }
    return holdsProfilerResults(folder);
}

bool liesInCapture(const stdfs::path& capture, const stdfs::path& file) {
    const stdfs::path opened = realPlace(capture), target = realPlace(file);
    const stdfs::path evidence = outermostFolder(opened);
    if (const auto identity = identityOf(evidence)) {
        // By identity and not by name: the same folder may be mounted twice.
        for (stdfs::path at = target; at.has_relative_path(); at = at.parent_path()) {
            if (identityOf(at) == identity) return true;
        }
    }
    std::error_code error;
    if (stdfs::is_regular_file(target, error)) {
        const stdfs::path folder = target.parent_path();
        const auto isBeside = [&] {
            return !stdfs::is_directory(opened, error) && identityOf(folder) == identityOf(opened.parent_path());
        };
        // With results beside its folder: "analyze" of a PROF folder.
        if (isProfilerFile(target.filename().string()) &&
            (isBeside() || holdsOutput(folder) || holdsOutput(folder.parent_path())))
            return true;
        const auto identity = identityOf(target);
        if (identity && stdfs::hard_link_count(target, error) > 1 && stdfs::is_directory(evidence, error) &&
            hasHardLinkTo(evidence, *identity))
            return true;
    }
    return liesInProfilerFolder(target);
}

}  // namespace altiscope
