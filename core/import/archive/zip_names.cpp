#include "core/import/archive/zip_names.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

namespace {

using namespace std::string_view_literals;

constexpr std::string_view kHeader = "PK\3\4"sv, kListed = "PK\1\2"sv, kEnd = "PK\5\6"sv, kEnd64 = "PK\6\6"sv,
                           kEnd64Place = "PK\6\7"sv;
constexpr std::size_t kHeaderBytes = 30, kListedBytes = 46, kEndBytes = 22, kEnd64Bytes = 56, kEnd64PlaceBytes = 20;
constexpr std::uint64_t kIn64 = 0xFFFFFFFF;  // the number stands in a field of 64 bits

std::uint64_t littleEndianAt(std::string_view bytes, std::size_t at, std::size_t size) {
    std::uint64_t number = 0;
    for (std::size_t i = size; i > 0 && at + i <= bytes.size(); --i)
        number = number << 8 | static_cast<unsigned char>(bytes[at + i - 1]);
    return number;
}

/// Reads parts of a file, up to the first that the system refuses.
class ZipParts {
public:
    explicit ZipParts(const ReadOnlyFile& file) : m_file(file) {}

    /// Empty if the file does not hold as much there, or cannot be read.
    std::string at(std::uint64_t place, std::size_t size) {
        std::string bytes(size, '\0');
        const auto got = m_error ? Result<std::size_t>(0) : m_file.read(place, bytes);
        if (!got.ok()) m_error = got.error();
        return got.ok() && got.value() == size ? bytes : std::string();
    }
    std::uint64_t fileSize() const { return m_file.size(); }
    const std::optional<Error>& error() const { return m_error; }

private:
    const ReadOnlyFile& m_file;
    std::optional<Error> m_error;
};

struct List {
    std::uint64_t begin = 0, size = 0;
};

std::optional<List> findList(ZipParts& file) {
    static constexpr std::uint64_t kMaxCommentLength = 0xFFFF;
    const std::uint64_t tail = std::min(file.fileSize(), kEndBytes + kMaxCommentLength);
    const std::string bytes = file.at(file.fileSize() - tail, static_cast<std::size_t>(tail));
    const std::size_t end = bytes.rfind(kEnd);
    if (end == std::string::npos || bytes.size() - end < kEndBytes) return std::nullopt;
    List list{littleEndianAt(bytes, end + 16, 4), littleEndianAt(bytes, end + 12, 4)};
    if (list.begin != kIn64 && list.size != kIn64) return list;
    if (end < kEnd64PlaceBytes || !std::string_view(bytes).substr(end - kEnd64PlaceBytes).starts_with(kEnd64Place))
        return std::nullopt;
    const std::string end64 = file.at(littleEndianAt(bytes, end - kEnd64PlaceBytes + 8, 8), kEnd64Bytes);
    if (!end64.starts_with(kEnd64)) return std::nullopt;
    return List{littleEndianAt(end64, 48, 8), littleEndianAt(end64, 40, 8)};
}

/// Where the header of a listed member stands.
std::uint64_t headerPlace(std::string_view listed, std::string_view extra) {
    const std::uint64_t plain = littleEndianAt(listed, 42, 4);
    if (plain != kIn64) return plain;
    for (std::size_t at = 0; at + 4 <= extra.size(); at += 4 + littleEndianAt(extra, at + 2, 2)) {
        if (littleEndianAt(extra, at, 2) != 1) continue;
        // After the sizes, of those that stand here.
        std::size_t field = at + 4;
        for (const std::size_t size : {20, 24}) field += littleEndianAt(listed, size, 4) == kIn64 ? 8 : 0;
        return littleEndianAt(extra, field, 8);
    }
    return plain;
}

struct Member {
    std::uint64_t header, listed;  // places
};

}  // namespace

Result<Done> eachZipAlias(const ReadOnlyFile& archive, std::size_t limit, const CancelToken& cancel,
                          const std::function<void(const ZipAlias&)>& take) {
    ZipParts file(archive);
    const auto list = file.at(0, 2) == "PK" ? findList(file) : std::nullopt;
    if (!list || list->size > archive.size() || list->begin > archive.size() - list->size)
        return file.error() ? Result<Done>(*file.error()) : Done{};
    std::vector<Member> members;
    for (std::uint64_t at = list->begin; at < list->begin + list->size && members.size() < limit;) {
        const std::string listed = file.at(at, kListedBytes);
        if (!listed.starts_with(kListed) || cancel.cancelled()) break;
        const std::uint64_t name = littleEndianAt(listed, 28, 2), extra = littleEndianAt(listed, 30, 2);
        members.push_back(
            {headerPlace(listed, file.at(at + kListedBytes + name, static_cast<std::size_t>(extra))), at});
        at += kListedBytes + name + extra + littleEndianAt(listed, 32, 2);
    }
    std::stable_sort(members.begin(), members.end(),
                     [](const Member& a, const Member& b) { return a.header < b.header; });
    for (const Member& member : members) {
        if (cancel.cancelled() || file.error()) break;
        const std::string header = file.at(member.header, kHeaderBytes);
        if (!header.starts_with(kHeader)) continue;
        const auto nameAt = [&file](std::uint64_t at, std::size_t size, std::uint64_t bytes) {
            return file.at(at + size, static_cast<std::size_t>(bytes));
        };
        std::string own = nameAt(member.header, kHeaderBytes, littleEndianAt(header, 26, 2));
        std::string listed =
            nameAt(member.listed, kListedBytes, littleEndianAt(file.at(member.listed, kListedBytes), 28, 2));
        if (own != listed && !file.error()) take({std::move(listed), std::move(own), member.header});
    }
    if (file.error()) return *file.error();
    return Done{};
}

}  // namespace altiscope::reader
