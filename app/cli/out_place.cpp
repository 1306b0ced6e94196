#include "app/cli/out_place.h"

#include "core/base/files/real_place.h"

#include <vector>

#include <sys/stat.h>
#include <unistd.h>

namespace altiscope::cli {

namespace {

using FileStatus = struct stat;

std::optional<FileStatus> statusOf(const std::string& file) {
    FileStatus status{};
    return ::stat(file.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

bool isSame(const FileStatus& a, const FileStatus& b) { return a.st_dev == b.st_dev && a.st_ino == b.st_ino; }

bool isSame(const std::string& a, const std::string& b) {
    const auto first = statusOf(a), second = statusOf(b);
    if (first && second) return isSame(*first, *second) && !S_ISCHR(first->st_mode);
    return !first && !second && realPlace(a) == realPlace(b);
}

}  // namespace

OutPlace outPlaceOf(const std::string& file) {
    OutPlace place;
    const auto status = statusOf(file);
    if (!status) return place;
    FileStatus output{};
    place.isStdout = ::fstat(STDOUT_FILENO, &output) == 0 && isSame(*status, output);
    place.isStream = place.isStdout || (!S_ISREG(status->st_mode) && !S_ISDIR(status->st_mode));
    return place;
}

std::optional<std::string> fileNamedTwice(std::initializer_list<std::optional<std::string>> files) {
    std::vector<std::string> known;
    for (const auto& file : files) {
        if (!file) continue;
        for (const std::string& other : known)
            if (isSame(*file, other)) return file;
        known.push_back(*file);
    }
    return std::nullopt;
}

}  // namespace altiscope::cli
