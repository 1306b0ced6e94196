#include "core/import/sqlite/journal_tail.h"

#include "core/base/files/file.h"

#include <array>
#include <cstdint>
#include <string_view>
#include <system_error>

namespace altiscope::reader {

namespace {

constexpr std::size_t kJournalTailBytes = 16;  // length, checksum, magic
constexpr std::string_view kJournalMagic = "\xd9\xd5\x05\xf9\x20\xa1\x63\xd7";

std::uint64_t bigEndian32(std::string_view bytes) {
    std::uint64_t value = 0;
    for (const char byte : bytes.substr(0, 4)) value = value << 8 | static_cast<unsigned char>(byte);
    return value;
}

/// Size of a journal without the name at its end; its whole size if there is none.
Result<std::uint64_t> sizeWithoutName(const std::filesystem::path& journal) {
    const auto file = ReadOnlyFile::open(journal);
    if (!file.ok()) return file.as<std::uint64_t>();
    std::uint64_t size = file.value().size();
    // A forged journal may carry one name after another.
    while (size >= kJournalTailBytes) {
        std::array<char, kJournalTailBytes> bytes{};
        const auto got = file.value().read(size - bytes.size(), bytes);
        if (!got.ok()) return got.as<std::uint64_t>();
        const std::string_view tail(bytes.data(), bytes.size());
        if (tail.substr(8) != kJournalMagic) break;
        const std::uint64_t whole = kJournalTailBytes + 4 + bigEndian32(tail);
        // SQLite ignores a name that is longer than the file; without its end it is no longer one.
        size -= whole <= size ? whole : kJournalTailBytes;
    }
    return size;
}

}  // namespace

Result<bool> cutSuperJournalName(const std::filesystem::path& journal) {
    const auto size = sizeWithoutName(journal);
    if (!size.ok()) return size.as<bool>();
    std::error_code error;
    const auto whole = std::filesystem::file_size(journal, error);
    if (!error && whole == size.value()) return false;
    if (!error) std::filesystem::resize_file(journal, size.value(), error);
    if (error) return Error{"file.unreadable", journal.string(), {}, {{"reason", error.message()}}};
    return true;
}

}  // namespace altiscope::reader
