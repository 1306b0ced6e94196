#include "core/import/files/folder_listing.h"

#include "core/base/files/file.h"
#include "core/base/memory/discard.h"
#include "core/base/threads/parallel_sort.h"
#include "core/import/files/file_names.h"
#include "core/store/cache/scratch_folder.h"

#include <algorithm>
#include <system_error>
#include <utility>

namespace altiscope::reader {

namespace fs = std::filesystem;

ListedFile::ListedFile(std::string fileName, std::uint64_t bytes)
    : name(std::move(fileName)), size(bytes), content(fileContent(name)) {}

const ListedFile* ListedFolder::file(std::string_view fileName) const {
    const auto found = std::lower_bound(files.begin(), files.end(), fileName,
                                        [](const ListedFile& f, std::string_view n) { return f.name < n; });
    return found != files.end() && found->name == fileName ? &*found : nullptr;
}

std::string ListedFolder::relativeTo(std::string_view fileName) const {
    return relative == "." ? std::string(fileName) : (relative + '/').append(fileName);
}

const ListedFolder* FolderListing::child(const ListedFolder& folder, std::string_view name) const {
    for (const std::size_t number : folder.folders) {
        if (folders[number].name == name) return &folders[number];
    }
    return nullptr;
}

bool holdsRawData(std::string_view parent, std::string_view name) {
    if (name == "FRAMEWORK" || name == "sqlite") return true;
    return name == "data" && (parent == "host" || parent.starts_with("device_"));
}

namespace {

/// One listing in the making.
class Lister {
public:
    Lister(const ListingLimits& limits, Diagnostics& diagnostics, const CancelToken& cancel)
        : m_limits(limits), m_diagnostics(diagnostics), m_cancel(cancel) {}

    FolderListing listing;

    void add(fs::path path, std::string relative, std::size_t depth) {
        ListedFolder folder;
        folder.name = path.filename().string();
        folder.path = std::move(path);
        folder.relative = std::move(relative);
        listing.folders.push_back(std::move(folder));
        m_depths.push_back(depth);
    }

    bool full() const { return m_isFull; }

    /// Lists folder `number`. @return The system's error if it cannot be listed.
    std::error_code list(std::size_t number) {
        std::error_code error;
        fs::directory_iterator entries(listing.folders[number].path, error);
        std::vector<fs::path> below;
        const DiscardOnCancel belowLater(m_cancel, below);
        for (; !error && entries != fs::directory_iterator{} && !m_cancel.cancelled(); entries.increment(error)) {
            // Only where there is a further one.
            if (m_entries == m_limits.entries) {
                m_isFull = true;
                m_diagnostics.add("scan.entry_limit", Severity::Lost, listing.folders[number].relative, {},
                                  {{"limit", std::to_string(m_limits.entries)}});
                break;
            }
            ++m_entries;
            take(number, *entries, below);
        }
        if (m_cancel.cancelled()) return {};
        parallelSort(
            std::span(listing.folders[number].files),
            [](const ListedFile& a, const ListedFile& b) { return a.name < b.name; }, m_cancel);
        // All lie in one folder, so their texts have the order of their names.
        parallelSort(
            std::span(below), [](const fs::path& a, const fs::path& b) { return a.native() < b.native(); }, m_cancel);
        for (fs::path& path : below) {
            if (m_cancel.cancelled()) return {};
            const std::string relative = listing.folders[number].relativeTo(path.filename().string());
            if (holdsRawData(listing.folders[number].name, path.filename().string())) {
                m_rawOnly.push_back(listing.folders.size());
            } else if (m_depths[number] + 1 > m_limits.depth) {
                m_diagnostics.add("scan.depth_limit", Severity::Info, relative, {},
                                  {{"limit", std::to_string(m_limits.depth)}});
                continue;
            }
            listing.folders[number].folders.push_back(listing.folders.size());
            add(std::move(path), relative, m_depths[number] + 1);
        }
        return error;
    }

    bool isRawData(std::size_t number) const { return std::binary_search(m_rawOnly.begin(), m_rawOnly.end(), number); }

private:
    void take(std::size_t number, const fs::directory_entry& entry, std::vector<fs::path>& below) {
        std::error_code error;
        const std::string name = entry.path().filename().string();
        if (entry.is_symlink(error)) {
            ++listing.skippedLinks;
            // Only some by name: a folder may hold nothing but links.
            static constexpr std::size_t kNamedLinks = 100;
            const bool isNamed = listing.skippedLinks <= kNamedLinks;
            m_diagnostics.add("scan.link_skipped", fileContent(name).empty() ? Severity::Info : Severity::Lost,
                              isNamed ? listing.folders[number].relativeTo(name) : ".", {});
        } else if (entry.is_directory(error)) {
            if (name.starts_with(kCaptureScratchName))
                m_diagnostics.add("scan.left_over", Severity::Info, listing.folders[number].relativeTo(name), {});
            else below.push_back(entry.path());
        } else if (entry.is_regular_file(error)) {
            const std::uintmax_t size = entry.file_size(error);
            if (error) {
                m_diagnostics.add("file.unreadable", isDataFileName(name) ? Severity::Lost : Severity::Info,
                                  listing.folders[number].relativeTo(name), {}, {{"reason", error.message()}});
            }
            listing.folders[number].files.emplace_back(name, error ? 0 : size);
        } else {
            reportSpecial(listing.folders[number].relativeTo(name), name, entry.symlink_status(error).type());
        }
    }

    /// A pipe, socket or device. In place of a file that is read it hides something.
    void reportSpecial(const std::string& relative, const std::string& name, fs::file_type type) {
        static constexpr std::size_t kNamed = 100;
        const bool isNamed = ++m_specials <= kNamed;
        const std::string_view kind = specialFileKind(type);
        m_diagnostics.add("scan.special_file", isDataFileName(name) ? Severity::Lost : Severity::Info,
                          isNamed ? relative : ".", {}, {{"kind", std::string(kind.empty() ? "special file" : kind)}});
    }

    const ListingLimits& m_limits;
    Diagnostics& m_diagnostics;
    const CancelToken& m_cancel;
    std::vector<std::size_t> m_depths;   // by folder
    std::vector<std::size_t> m_rawOnly;  // ascending
    std::size_t m_entries = 0;
    std::size_t m_specials = 0;
    bool m_isFull = false;
};

/// Folders where files should be. Programs that unpack make such a folder too, with the file in it.
void reportMisplacedFolders(const FolderListing& listing, Diagnostics& diagnostics) {
    for (const ListedFolder& folder : listing.folders) {
        // Programs of all kinds write pickles, into folders of such names too.
        const bool isPickle = folder.name.ends_with(".pkl") || folder.name.ends_with(".pickle");
        if (folder.relative != "." && !isPickle && isDataFileName(folder.name) && folder.file(folder.name) == nullptr)
            diagnostics.add("scan.folder_for_file", Severity::Lost, folder.relative, {});
    }
}

}  // namespace

Result<FolderListing> listFolders(const fs::path& root, const ListingLimits& limits, Diagnostics& diagnostics,
                                  const CancelToken& cancel) {
    Lister lister(limits, diagnostics, cancel);
    const DiscardOnCancel later(cancel, lister.listing);
    lister.add(root, ".", 0);
    for (std::size_t number = 0; number < lister.listing.folders.size() && !lister.full(); ++number) {
        if (lister.isRawData(number)) continue;
        const std::error_code error = lister.list(number);
        if (cancel.cancelled()) return Cancelled{};
        if (!error) continue;
        if (number == 0) return Error{"capture.denied", root.string(), {}, {{"reason", error.message()}}};
        diagnostics.add("scan.denied", Severity::Lost, lister.listing.folders[number].relative, {},
                        {{"reason", error.message()}});
    }
    if (cancel.cancelled()) return Cancelled{};
    reportMisplacedFolders(lister.listing, diagnostics);
    return std::move(lister.listing);
}

}  // namespace altiscope::reader
