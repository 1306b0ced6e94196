#include "tests/support/archive_builder.h"

#include <QtGlobal>

#include <algorithm>
#include <fstream>
#include <iterator>

#include <archive.h>
#include <archive_entry.h>

namespace altiscope::test {

namespace fs = std::filesystem;

void writeArchive(const fs::path& path, ArchiveKind kind, const std::vector<ArchiveItem>& items,
                  const std::string& password) {
    archive* out = archive_write_new();
    const auto check = [out](int code) {
        if (code < ARCHIVE_WARN) qFatal("archive: %s", archive_error_string(out));
    };
    const bool isSingle = kind == ArchiveKind::Gz || kind == ArchiveKind::Zst;
    if (kind == ArchiveKind::Zip) check(archive_write_set_format_zip(out));
    else check(isSingle ? archive_write_set_format_raw(out) : archive_write_set_format_pax_restricted(out));
    if (kind == ArchiveKind::Gz || kind == ArchiveKind::TarGz) check(archive_write_add_filter_gzip(out));
    if (kind == ArchiveKind::Zst || kind == ArchiveKind::TarZst) check(archive_write_add_filter_zstd(out));
    if (!password.empty()) {
        check(archive_write_set_options(out, "zip:encryption=zipcrypt"));
        check(archive_write_set_passphrase(out, password.c_str()));
    }
    // Nothing is added behind the end.
    check(archive_write_set_bytes_in_last_block(out, 1));
    check(archive_write_open_filename(out, path.c_str()));
    for (const ArchiveItem& item : items) {
        archive_entry* entry = archive_entry_new();
        archive_entry_set_pathname(entry, item.name.c_str());
        archive_entry_set_perm(entry, 0644);
        archive_entry_set_mtime(entry, 1'700'000'000, 0);
        using Type = ArchiveItem::Type;
        archive_entry_set_filetype(entry, AE_IFREG);
        if (item.type == Type::Folder) archive_entry_set_filetype(entry, AE_IFDIR);
        if (item.type == Type::Pipe) archive_entry_set_filetype(entry, AE_IFIFO);
        if (item.type == Type::Device) archive_entry_set_filetype(entry, AE_IFCHR);
        if (item.type == Type::Link) {
            archive_entry_set_filetype(entry, AE_IFLNK);
            archive_entry_set_symlink(entry, item.content.c_str());
        }
        if (item.type == Type::HardLink) archive_entry_set_hardlink(entry, item.content.c_str());
        const bool isFile = item.type == Type::File;
        archive_entry_set_size(entry, isFile ? static_cast<la_int64_t>(item.content.size()) : 0);
        check(archive_write_header(out, entry));
        if (isFile && !item.content.empty() && archive_write_data(out, item.content.data(), item.content.size()) < 0)
            qFatal("archive: %s", archive_error_string(out));
        archive_entry_free(entry);
    }
    check(archive_write_close(out));
    archive_write_free(out);
}

std::vector<ArchiveItem> itemsOf(const fs::path& folder) {
    std::vector<ArchiveItem> items;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder)) {
        const std::string name = entry.path().lexically_relative(folder).string();
        if (entry.is_directory()) {
            items.push_back({name + '/', {}, ArchiveItem::Type::Folder});
            continue;
        }
        std::ifstream in(entry.path(), std::ios::binary);
        items.push_back({name, std::string(std::istreambuf_iterator<char>(in), {})});
    }
    std::sort(items.begin(), items.end(), [](const ArchiveItem& a, const ArchiveItem& b) { return a.name < b.name; });
    return items;
}

}  // namespace altiscope::test
