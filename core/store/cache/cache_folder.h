#pragma once

#include "core/base/values/cancel.h"

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// A folder of the cache with files that took time to make from a source, such as what an archive holds: a
/// ScratchFolder that got a label and a lasting name. Complete when it is there. As long as an object of this class
/// names it, in any process, nobody removes it. Only folders with the mark of ScratchFolder are opened or removed. Any
/// thread.
class CacheFolder {
public:
    /// Text on the label of a folder.
    struct Label {
        std::string key, note;
        std::uint64_t bytes = 0;  ///< Size of all its files.
        std::uint64_t state = 0;  ///< Hash of their names, sizes and times of change (mtime, ctime).
    };

    ~CacheFolder();
    CacheFolder(const CacheFolder&) = delete;
    CacheFolder& operator=(const CacheFolder&) = delete;

    /// Where the files lie.
    const std::filesystem::path& files() const { return m_files; }
    const std::string& note() const { return m_label.note; }

    /// Where the files of a folder in the making belong.
    static std::filesystem::path filesIn(const std::filesystem::path& folder);
    /// Labels a ScratchFolder whose files are complete. @return False if it is none, or that cannot be written.
    /// @param cancel  May be null. If it is cancelled there is no label.
    static bool label(const std::filesystem::path& folder, std::string_view key, std::string_view note,
                      const CancelToken* cancel = nullptr);

    /// Opens a folder, and marks it as used now.
    /// @param cancel  May be null.
    /// @return Null if it is not there, has another key, or its files are no longer those that were labelled: it is
    ///         then removed. Null too if it was cancelled.
    /// @note   O(files): asks the file system for each.
    static std::shared_ptr<const CacheFolder> open(const std::filesystem::path& folder, std::string_view key,
                                                   const CancelToken* cancel = nullptr);
    /// Label of a folder; nullopt if it has none.
    static std::optional<Label> labelOf(const std::filesystem::path& folder);
    /// When it was opened last; nullopt if it has no label.
    static std::optional<std::chrono::system_clock::time_point> lastUse(const std::filesystem::path& folder);
    /// @param cancel  As in ScratchFolder::remove(); what is left of it then is no entry.
    /// @return False, and nothing is removed, while somebody uses it, or if it is not ours.
    static bool remove(const std::filesystem::path& folder, const CancelToken* cancel = nullptr);

private:
    CacheFolder(int lock, std::filesystem::path files, Label label);

    int m_lock;
    std::filesystem::path m_files;
    Label m_label;
};

}  // namespace altiscope
