#include "core/capture/session/fetch.h"

#include "core/base/values/parse.h"
#include "core/capture/files/target_scripts.h"
#include "core/capture/session/copy.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <set>

namespace altiscope::capture {

namespace {

constexpr std::size_t kMaxFiles = 1'000'000, kMaxNameParts = 32, kMaxFileNameBytes = 4000;
constexpr std::uint64_t kMaxListBytes = std::uint64_t{256} << 20;

std::uint64_t totalOf(const std::vector<RemoteFile>& files) {
    std::uint64_t total = 0;
    for (const RemoteFile& file : files) total += file.size;
    return total;
}

/// Whether a folder has these files with their sizes and nothing else; links count as something else.
bool isWhole(const std::filesystem::path& folder, const std::vector<RemoteFile>& files) {
    std::error_code error;
    std::set<std::string> wanted;
    for (const RemoteFile& file : files) {
        const auto path = folder / file.name;
        const auto status = std::filesystem::symlink_status(path, error);
        if (!std::filesystem::is_regular_file(status) || std::filesystem::file_size(path, error) != file.size)
            return false;
        wanted.insert(file.name);
    }
    for (std::filesystem::recursive_directory_iterator at(folder, error), end; !error && at != end;
         at.increment(error)) {
        const auto status = at->symlink_status(error);
        if (std::filesystem::is_directory(status)) continue;
        if (!wanted.contains(at->path().lexically_relative(folder).string())) return false;
    }
    return !error;
}

/// What a call that was killed has left beside the files and their pieces: halves under names of rsync's own, and links
/// that nobody of us makes.
void removeLeftovers(const std::filesystem::path& partial, const std::vector<RemoteFile>& files) {
    std::set<std::string> wanted;
    for (const RemoteFile& file : files) wanted.insert(file.name);
    std::vector<std::filesystem::path> left;
    std::error_code error;
    for (std::filesystem::recursive_directory_iterator at(partial, error), end; !error && at != end;
         at.increment(error)) {
        const auto status = at->symlink_status(error);
        const std::string name = at->path().lexically_relative(partial).string();
        if (std::filesystem::is_directory(status)) {
            if (name == kRsyncPieces) at.disable_recursion_pending();
        } else if (!std::filesystem::is_regular_file(status) || !wanted.contains(name)) {
            left.push_back(at->path());
        }
    }
    for (const auto& path : left) std::filesystem::remove(path, error);
}

}  // namespace

bool isSafeName(std::string_view name) {
    if (name.empty() || name.size() > kMaxFileNameBytes || name.find('\0') != std::string_view::npos) return false;
    std::size_t depth = 0;
    while (true) {
        const std::string_view part = name.substr(0, name.find('/'));
        if (part.empty() || part == "." || part == ".." || ++depth > kMaxNameParts) return false;
        if (part.size() == name.size()) return true;
        name.remove_prefix(part.size() + 1);
    }
}

Result<std::vector<RemoteFile>> listFiles(const RemoteShell& shell, const std::string& path, bool mayBeLink) {
    const std::vector<std::string> arguments{path, mayBeLink ? "yes" : ""};
    const auto reply = shell.run(listFilesScript(), arguments, {kMaxListBytes, std::chrono::seconds(300)});
    if (!reply.ok()) return reply.as<std::vector<RemoteFile>>();
    if (reply.value().status != 0) return Error{"capture.fetch.missing", path, {}, {{"host", shell.target().name}}};
    std::vector<RemoteFile> files;
    std::string_view rest = reply.value().output;
    static constexpr std::string_view kEnd(".\0", 2);
    const bool isWhole = rest == kEnd || rest.ends_with(std::string(1, '\0').append(kEnd));
    if (!isWhole) return Error{"capture.remote.list_cut", path, {}, {{"host", shell.target().name}}};
    rest.remove_suffix(kEnd.size());
    while (!rest.empty()) {
        const std::string_view record = rest.substr(0, rest.find('\0'));
        rest.remove_prefix(std::min(rest.size(), record.size() + 1));
        const auto space = record.find(' ');
        const auto size = wholeNumber<std::uint64_t>(record.substr(0, space));
        const std::string_view name = space == std::string_view::npos ? std::string_view() : record.substr(space + 1);
        // So many files of 8 TiB are still a number.
        static constexpr std::uint64_t kMaxFileBytes = std::uint64_t{1} << 43;
        if (!size || *size > kMaxFileBytes || !isSafeName(name)) {
            return Error{
                "capture.fetch.hostile_name", path, {}, {{"host", shell.target().name}, {"name", std::string(name)}}};
        }
        if (files.size() == kMaxFiles)
            return Error{"capture.fetch.too_many", path, {}, {{"limit", std::to_string(kMaxFiles)}}};
        files.push_back({std::string(name), *size});
    }
    if (files.empty()) return Error{"capture.fetch.empty", path, {}, {{"host", shell.target().name}}};
    std::sort(files.begin(), files.end(), [](const RemoteFile& a, const RemoteFile& b) { return a.name < b.name; });
    return files;
}

Result<Done> fetchFiles(const RemoteShell& shell, const std::string& source, const std::vector<RemoteFile>& files,
                        const std::filesystem::path& folder, const FetchLimits& limits) {
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(folder, error))) {
        if (isWhole(folder, files)) return Done{};
        return Error{"capture.fetch.exists", folder, {}, {}};
    }
    auto partial = folder;
    partial += ".partial";
    std::filesystem::create_directories(partial, error);
    if (error || std::filesystem::is_symlink(std::filesystem::symlink_status(partial))) {
        return Error{"capture.fetch.failed", partial, {}, {{"reason", error.message()}}};
    }
    std::filesystem::permissions(partial, std::filesystem::perms::owner_all, error);
    // A folder of somebody else, in a folder for all, may hold links that lead anywhere.
    struct stat status {};
    if (error || ::lstat(partial.c_str(), &status) != 0 || status.st_uid != ::geteuid())
        return Error{"capture.fetch.failed", partial, {}, {{"reason", "not a folder of yours"}}};
    removeLeftovers(partial, files);
    const auto space = std::filesystem::space(partial, error);
    const std::uint64_t total = totalOf(files);
    if (!error && space.available < total - total / 10 && !isWhole(partial, files)) {
        return Error{"capture.fetch.no_space", partial, {}, {{"bytes", std::to_string(total)}}};
    }
    auto copied = limits.usesRsync ? copyByRsync(shell, source, files, partial, limits) : Result<bool>(false);
    if (!copied.ok()) return copied.as<Done>();
    if (!copied.value()) {
        auto pieces = copyByPieces(shell, source, files, partial, limits);
        if (!pieces.ok()) return pieces;
    }
    std::filesystem::remove_all(partial / kRsyncPieces, error);
    if (!isWhole(partial, files)) return Error{"capture.fetch.changed", folder, {}, {{"host", shell.target().name}}};
    std::filesystem::rename(partial, folder, error);
    if (error) return Error{"capture.fetch.failed", folder, {}, {{"reason", error.message()}}};
    return Done{};
}

}  // namespace altiscope::capture
