#include "core/session/workspace/capture_identity.h"

#include "core/base/files/file.h"
#include "core/import/files/file_names.h"
#include "core/import/files/folder_listing.h"
#include "core/pack/open_pack.h"
#include "core/pack/pack_file.h"
#include "core/pack/pack_set.h"
#include "core/store/cache/content_sample.h"

#include <QByteArray>
#include <QCryptographicHash>

#include <algorithm>
#include <map>
#include <system_error>
#include <vector>

namespace altiscope {

namespace {

namespace stdfiles = std::filesystem;

constexpr qsizetype kIdentityDigits = 32;
constexpr std::size_t kMaxLooks = 500'000;
constexpr int kMaxLevels = 24;

using IdentityFiles = std::map<std::string, stdfiles::path>;  // by path below the capture

bool isIgnoredFolder(const std::string& parent, const std::string& name) {
    return name.starts_with('.') || reader::folderKind(name) == reader::FolderKind::ClusterOutput ||
           (name == "sqlite" && reader::folderKind(parent) != reader::FolderKind::Other);
}

bool countsAsData(const std::string& name) {
    // Databases have it beside them while somebody reads them.
    return !name.starts_with('.') && !name.ends_with("-shm") && reader::isDataFileName(name);
}

/// Files below a folder. Its functions return false once there are too many.
class IdentityWalk {
public:
    explicit IdentityWalk(const CancelToken& cancel) : m_cancel(cancel) {}

    IdentityFiles files;

    /// By name, so that what a limit leaves out does not depend on the file system.
    bool list(const stdfiles::path& folder, const std::string& relative, bool isRaw, int level) {
        std::vector<stdfiles::directory_entry> entries;
        std::error_code error;
        stdfiles::directory_iterator entry(folder, stdfiles::directory_options::skip_permission_denied, error);
        for (; !error && entry != stdfiles::directory_iterator{}; entry.increment(error)) {
            if (++m_looks > kMaxLooks || m_cancel.cancelled()) return false;
            entries.push_back(*entry);
        }
        std::sort(entries.begin(), entries.end());
        return std::all_of(entries.begin(), entries.end(), [&](const stdfiles::directory_entry& one) {
            return take(one, folder.filename().string(), relative, isRaw, level);
        });
    }

private:
    bool take(const stdfiles::directory_entry& entry, const std::string& parent, const std::string& relative,
              bool isRaw, int level) {
        std::error_code error;
        const std::string name = entry.path().filename().string();
        const std::string below = relative.empty() ? name : relative + '/' + name;
        if (entry.is_symlink(error)) return true;
        if (entry.is_directory(error)) {
            if (level >= kMaxLevels || isIgnoredFolder(parent, name)) return true;
            return list(entry.path(), below, isRaw || reader::holdsRawData(parent, name), level + 1);
        }
        if (!entry.is_regular_file(error) || !(isRaw ? !name.starts_with('.') : countsAsData(name))) return true;
        files.emplace(below, entry.path());
        return files.size() < kMaxIdentityFiles && !m_cancel.cancelled();
    }

    const CancelToken& m_cancel;
    std::size_t m_looks = 0;
};

QByteArray lineOf(const std::string& name, const Result<ReadOnlyFile>& file, std::uint64_t sample) {
    return QByteArray::fromStdString(name) + '\t' + QByteArray::number(qulonglong{file.value().size()}) + '\t' +
           QByteArray::number(qulonglong{sample}, 16) + '\n';
}

std::string digitsOf(const QCryptographicHash& hash) {
    return hash.result().toHex().first(kIdentityDigits).toStdString();
}

}  // namespace

bool isCaptureIdentity(std::string_view text) {
    return text.size() == static_cast<std::size_t>(kIdentityDigits) &&
           text.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

Result<std::string> identifyCapture(const stdfiles::path& path, const CancelToken& cancel) {
    if (pack::isPack(path) || pack::isPackFolder(path)) {
        const auto identity = pack::packIdentity(path, cancel);
        if (!identity.ok() || isCaptureIdentity(identity.value())) return identity;
    }
    QCryptographicHash hash(QCryptographicHash::Sha256);
    hash.addData(QByteArrayView("altiscope-identity 1\n"));
    std::error_code error;
    IdentityFiles files;
    const bool isFolder = stdfiles::is_directory(path, error);
    if (isFolder) {
        IdentityWalk walk(cancel);
        // A file that is opened itself counts whatever it is called.
        walk.list(path, {}, false, 0);
        files = std::move(walk.files);
    } else {
        files.emplace(std::string(), path);
    }
    for (const auto& [name, place] : files) {
        if (cancel.cancelled()) return Cancelled{};
        const auto file = ReadOnlyFile::open(place);
        if (!file.ok()) {
            if (!isFolder) return file.as<std::string>();
            hash.addData(QByteArray::fromStdString(name) + "\t-\n");
            continue;
        }
        const auto sample = sampleContent(file.value());
        if (!sample.ok() && !isFolder) return sample.as<std::string>();
        hash.addData(lineOf(name, file, sample.ok() ? sample.value() : 0));
    }
    if (cancel.cancelled()) return Cancelled{};
    return digitsOf(hash);
}

}  // namespace altiscope
