#include "core/import/snapshot/pickle_place.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>

namespace altiscope::reader {

namespace {

using namespace std::string_view_literals;

Error placeError(std::string_view code) { return {std::string(code), {}, {}, {}}; }

template <class Number>
std::uint64_t numberAt(std::string_view bytes, std::size_t offset) {
    Number number = 0;
    if (bytes.size() >= offset + sizeof number) std::memcpy(&number, bytes.data() + offset, sizeof number);
    return number;
}

Result<std::string> placeBytes(const ReadOnlyFile& file, std::uint64_t offset, std::uint64_t size) {
    std::string bytes(static_cast<std::size_t>(size), '\0');
    const auto got = file.read(offset, bytes);
    if (!got.ok()) return got.as<std::string>();
    bytes.resize(got.value());
    return bytes;
}

/// An entry of the directory of a zip archive.
struct ZipMember {
    std::uint64_t size = 0, offset = 0;
    bool isStored = false;
};

/// Reads an entry's sizes, also those that did not fit into 32 bits.
ZipMember zipMember(std::string_view entry, std::size_t nameSize, std::size_t extraSize) {
    constexpr std::uint64_t kElsewhere = std::numeric_limits<std::uint32_t>::max();
    ZipMember member;
    member.isStored = numberAt<std::uint16_t>(entry, 10) == 0 && (numberAt<std::uint16_t>(entry, 8) & 1U) == 0;
    const std::uint64_t packed = numberAt<std::uint32_t>(entry, 20);
    member.size = numberAt<std::uint32_t>(entry, 24);
    member.offset = numberAt<std::uint32_t>(entry, 42);
    std::string_view extra = entry.substr(46 + nameSize, extraSize);
    while (extra.size() >= 4) {
        const std::uint64_t kind = numberAt<std::uint16_t>(extra, 0), size = numberAt<std::uint16_t>(extra, 2);
        std::string_view values = extra.substr(4, static_cast<std::size_t>(size));
        if (kind == 1) {
            const auto next = [&values](std::uint64_t& value) {
                value = numberAt<std::uint64_t>(values, 0);
                values.remove_prefix(std::min<std::size_t>(values.size(), 8));
            };
            std::uint64_t unused = 0;
            if (member.size == kElsewhere) next(member.size);
            if (packed == kElsewhere) next(unused);
            if (member.offset == kElsewhere) next(member.offset);
        }
        extra.remove_prefix(std::min<std::size_t>(extra.size(), 4 + static_cast<std::size_t>(size)));
    }
    return member;
}

Result<PickleInput::Extent> memberExtent(const ReadOnlyFile& file, const ZipMember& member) {
    constexpr std::uint64_t kHeader = 30;
    if (!member.isStored) return placeError("snapshot.compressed");
    if (member.offset > file.size() || member.size > file.size() - member.offset)
        return placeError("snapshot.not_snapshot");
    const auto header = placeBytes(file, member.offset, kHeader);
    if (!header.ok()) return header.as<PickleInput::Extent>();
    const std::uint64_t begin = member.offset + kHeader + numberAt<std::uint16_t>(header.value(), 26) +
                                numberAt<std::uint16_t>(header.value(), 28);
    if (!header.value().starts_with("PK\x03\x04") || begin > file.size() || member.size > file.size() - begin)
        return placeError("snapshot.not_snapshot");
    return PickleInput::Extent{begin, member.size};
}

Result<PickleInput::Extent> zipExtent(const ReadOnlyFile& file) {
    // The end of the archive says where the directory lies; a comment of at most 64 KiB may follow it.
    constexpr std::uint64_t kTail = (std::uint64_t{64} << 10) + 128, kMaxDirectory = std::uint64_t{16} << 20;
    const std::uint64_t tailAt = file.size() - std::min(file.size(), kTail);
    const auto tail = placeBytes(file, tailAt, file.size() - tailAt);
    if (!tail.ok()) return tail.as<PickleInput::Extent>();
    const std::size_t end = tail.value().rfind("PK\x05\x06"sv);
    if (end == std::string::npos) return placeError("snapshot.not_snapshot");
    const std::string_view last = std::string_view(tail.value()).substr(end);
    std::uint64_t size = numberAt<std::uint32_t>(last, 12), offset = numberAt<std::uint32_t>(last, 16);
    const std::size_t large = tail.value().rfind("PK\x06\x06"sv);
    if (large != std::string::npos && large < end) {
        const std::string_view zip64 = std::string_view(tail.value()).substr(large);
        size = numberAt<std::uint64_t>(zip64, 40);
        offset = numberAt<std::uint64_t>(zip64, 48);
    }
    if (offset > file.size() || size > std::min(file.size() - offset, kMaxDirectory))
        return placeError("snapshot.not_snapshot");
    const auto directory = placeBytes(file, offset, size);
    if (!directory.ok()) return directory.as<PickleInput::Extent>();
    std::string_view rest = directory.value();
    constexpr std::size_t kEntry = 46;
    while (rest.size() >= kEntry && rest.starts_with("PK\x01\x02"sv)) {
        const auto nameSize = static_cast<std::size_t>(numberAt<std::uint16_t>(rest, 28));
        const auto extraSize = static_cast<std::size_t>(numberAt<std::uint16_t>(rest, 30));
        const auto noteSize = static_cast<std::size_t>(numberAt<std::uint16_t>(rest, 32));
        const std::size_t whole = kEntry + nameSize + extraSize + noteSize;
        if (whole > rest.size()) break;
        const std::string_view name = rest.substr(kEntry, nameSize);
        if (name == "data.pkl" || name.ends_with("/data.pkl"))
            return memberExtent(file, zipMember(rest, nameSize, extraSize));
        rest.remove_prefix(whole);
    }
    return placeError("snapshot.not_snapshot");
}

}  // namespace

bool isSnapshotName(std::string_view name) { return name.ends_with(".pkl") || name.ends_with(".pickle"); }

namespace {

/// Whether a pickle pushes a text: with its length in front, in one byte or in four.
bool pushesText(std::string_view head, std::string_view text) {
    const char length = static_cast<char>(text.size());
    for (std::size_t at = head.find(text); at != std::string_view::npos; at = head.find(text, at + 1)) {
        const std::string_view before = head.substr(0, at);
        const char inOne[] = {'\x8c', length}, inFour[] = {'X', length, '\0', '\0', '\0'};
        if (before.ends_with(std::string_view(inOne, sizeof inOne)) ||
            before.ends_with(std::string_view(inFour, sizeof inFour)))
            return true;
    }
    return false;
}

}  // namespace

bool mayBeSnapshot(std::string_view head) {
    constexpr std::size_t kFirstKeys = 4096;
    if (head.size() < 2 || head[0] != '\x80' || head[1] < 2 || head[1] > 5) return false;
    // One of them is among the first keys: only settings may come before.
    const std::string_view first = head.substr(0, kFirstKeys);
    if (pushesText(first, "device_traces")) return true;
    // Other programs have segments too, of speech or of pictures: those of memory have sizes or blocks. A list of them
    // alone is one as well.
    const bool hasSizes = pushesText(head, "total_size"), hasBlocks = pushesText(head, "blocks");
    return pushesText(first, "segments") ? hasSizes || hasBlocks : hasBlocks && pushesText(first, "total_size");
}

bool mayHoldSnapshot(std::string_view head) {
    constexpr std::string_view kZip = "PK\x03\x04"sv, kPickle = "data.pkl"sv;
    if (!head.starts_with(kZip)) return mayBeSnapshot(head);
    // torch.save puts the pickle first, after a header with its name and a filling of at most 64 bytes.
    const std::size_t name = head.substr(0, 256).find(kPickle);
    if (name == std::string_view::npos) return false;
    const std::size_t begin = head.substr(0, name + 512).find('\x80', name);
    return begin != std::string_view::npos && mayBeSnapshot(head.substr(begin));
}

bool isCompressedFile(const std::filesystem::path& path) {
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return false;
    const auto extent = pickleExtent(file.value());
    return extent.failed() && extent.error().code == "snapshot.compressed";
}

bool holdsSnapshot(const std::filesystem::path& path) {
    constexpr std::uint64_t kHead = std::uint64_t{64} << 10;
    const auto file = ReadOnlyFile::open(path);
    if (!file.ok()) return false;
    const auto extent = pickleExtent(file.value());
    if (!extent.ok()) return false;
    const auto head = placeBytes(file.value(), extent.value().begin, std::min(extent.value().size, kHead));
    return head.ok() && mayBeSnapshot(head.value());
}

Result<PickleInput::Extent> pickleExtent(const ReadOnlyFile& file) {
    const auto head = placeBytes(file, 0, std::min<std::uint64_t>(file.size(), 4));
    if (!head.ok()) return head.as<PickleInput::Extent>();
    if (head.value().starts_with("PK\x03\x04"sv)) return zipExtent(file);
    if (head.value().starts_with("\x1F\x8B"sv) || head.value() == "\x28\xB5\x2F\xFD"sv)
        return placeError("snapshot.compressed");
    return PickleInput::Extent{0, file.size()};
}

}  // namespace altiscope::reader
