#include "core/session/disk_size.h"

#include <QFileInfo>

#include <filesystem>
#include <system_error>
#include <utility>
#include <vector>

namespace altiscope {

namespace {

void add(DiskSize& size, const std::filesystem::directory_entry& entry) {
    const QFileInfo about(QString::fromStdU16String(entry.path().u16string()));
    size.bytes += static_cast<std::uint64_t>(about.size());
    ++size.files;
    if (const QDateTime changed = about.lastModified(); !size.newest.isValid() || changed > size.newest)
        size.newest = changed;
}

}  // namespace

std::optional<DiskSize> diskSizeOf(const QString& path, const CancelToken& cancel) {
    const std::filesystem::path root(path.toStdU16String());
    DiskSize size;
    std::error_code problem;
    if (std::filesystem::is_regular_file(root, problem)) {
        add(size, std::filesystem::directory_entry(root, problem));
        return size;
    }
    if (!std::filesystem::is_directory(root, problem)) return std::nullopt;
    std::vector<std::filesystem::path> folders{root};
    while (!folders.empty()) {
        const std::filesystem::path folder = std::move(folders.back());
        folders.pop_back();
        std::filesystem::directory_iterator entry(folder, problem);
        if (problem) size.isWhole = false;
        for (; !problem && entry != std::filesystem::directory_iterator(); entry.increment(problem)) {
            if (cancel.cancelled()) return std::nullopt;
            std::error_code unread;
            const auto kind = entry->symlink_status(unread).type();
            if (kind == std::filesystem::file_type::directory) folders.push_back(entry->path());
            if (kind == std::filesystem::file_type::regular) add(size, *entry);
            if (size.files >= kMaxSizedFiles) {
                size.isWhole = false;
                return size;
            }
        }
        problem.clear();
    }
    return size;
}

}  // namespace altiscope
