#include "core/import/archive/archive_names.h"

#include "core/import/files/file_names.h"
#include "core/import/files/folder_listing.h"
#include "core/import/scan/source_sniffing.h"
#include "core/import/snapshot/pickle_place.h"

#include <algorithm>
#include <system_error>

namespace altiscope::reader {

namespace fs = std::filesystem;

namespace {

bool isControl(char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }

template <std::size_t N>
bool endsWithAny(std::string_view name, const std::string_view (&endings)[N]) {
    return std::any_of(std::begin(endings), std::end(endings),
                       [name](std::string_view ending) { return name.ends_with(ending); });
}

}  // namespace

bool isArchive(const fs::path& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) return false;
    // A file with the name of a snapshot may be compressed, or none: its reader says so.
    if (isSnapshotName(path.filename().string())) return false;
    const FileType look = fileTypeOf(path);
    return look == FileType::Archive ||
           (look == FileType::Unknown && path.extension() == ".tar" && fs::file_size(path, error) > 0);
}

std::optional<std::vector<std::string>> memberParts(std::string_view name) {
    static constexpr std::size_t kMaxLength = 2048;
    static constexpr std::size_t kMaxPartLength = 255;
    static constexpr std::size_t kDeepest = 32;
    const auto isDrive = [](std::string_view text) {
        return text.size() > 2 && text[1] == ':' && (text[2] == '/' || text[2] == '\\');
    };
    if (name.empty() || name.size() > kMaxLength || name.front() == '/' || name.front() == '\\' || isDrive(name))
        return std::nullopt;
    if (std::any_of(name.begin(), name.end(), isControl)) return std::nullopt;
    std::vector<std::string> parts;
    for (std::size_t at = 0; at <= name.size();) {
        const std::size_t end = std::min(name.find('/', at), name.size());
        const std::string_view part = name.substr(at, end - at);
        at = end + 1;
        if (part.empty() || part == ".") continue;
        // Programs of Windows may take a backslash for a separator.
        if (part == ".." || part.starts_with("..\\") || part.find("\\..") != std::string_view::npos)
            return std::nullopt;
        if (part.size() > kMaxPartLength || parts.size() == kDeepest) return std::nullopt;
        parts.emplace_back(part);
    }
    return parts;
}

std::string shownMemberName(std::string_view name) {
    std::string shown(name);
    std::replace_if(shown.begin(), shown.end(), isControl, '?');
    return shown;
}

bool liesInRawData(const std::vector<std::string>& parts) {
    for (std::size_t i = 0; i + 1 < parts.size(); ++i) {
        if (holdsRawData(i > 0 ? std::string_view(parts[i - 1]) : std::string_view(), parts[i])) return true;
    }
    return false;
}

MemberUse useByName(std::string_view fileName, std::optional<std::uint64_t> size) {
    static constexpr std::string_view kNested[] = {".zip", ".tar", ".gz", ".tgz", ".zst", ".bz2", ".xz", ".7z", ".rar"};
    // Notes of all kinds describe a capture; they are small.
    static constexpr std::uint64_t kSmall = std::uint64_t{1} << 20;
    // Read as it lies in a folder: packed by itself.
    if (isPackedJson(fileName)) return MemberUse::Needed;
    if (endsWithAny(fileName, kNested)) return MemberUse::Nested;
    // Data sets and checkpoints are pickles too, and larger than any capture.
    const bool isLargePickle = isSnapshotName(fileName) && !(size && *size <= kSmall);
    if (!isLargePickle && (isDataFileName(fileName) || (size && *size <= kSmall))) return MemberUse::Needed;
    return MemberUse::Unknown;
}

MemberUse useByHead(std::string_view fileName, std::string_view head) {
    if (isSnapshotName(fileName)) return mayHoldSnapshot(head) ? MemberUse::Needed : MemberUse::Unknown;
    switch (fileTypeOfHead(head)) {
    case FileType::TraceJson:
    case FileType::Snapshot:
    case FileType::Database: return MemberUse::Needed;
    case FileType::Archive: return MemberUse::Nested;
    case FileType::Unknown: break;
    }
    return MemberUse::Unknown;
}

std::string nameOfContent(const fs::path& archive) {
    static constexpr std::string_view kEndings[] = {".tar.gz", ".tar.zst", ".tgz", ".tzst",
                                                    ".zip",    ".tar",     ".gz",  ".zst"};
    std::string name = archive.filename().string();
    for (const std::string_view ending : kEndings) {
        if (!name.ends_with(ending) || name.size() == ending.size()) continue;
        name.resize(name.size() - ending.size());
        break;
    }
    return name.empty() || name == "." || name == ".." ? "content" : name;
}

}  // namespace altiscope::reader
