#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

namespace altiscope {

/// A folder that this process needs for a while, beside the entries of a cache or among the system's temporary files. It bears a mark: a
/// file with a magic line, the user, the process with the time it began, and the folder's own inode, locked as long as the object lives.
/// Only what bears its own mark is ever removed; a copy of such a folder, a link to one, and a folder of the same name are somebody
/// else's. Any thread.
class ScratchFolder {
public:
    /// Makes a folder with a new name in `parent`, which need not exist yet. Where this process makes its first one, folders of killed
    /// processes are removed (removeAbandoned).
    /// @return Null, and the reason in `error`.
    static std::shared_ptr<const ScratchFolder> make(const std::filesystem::path& parent, std::error_code& error);

    /// Removes the folder with all that is in it, if it still bears this name.
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// Whether a folder was made by make() for this user, whatever it is called now.
    static bool isOurs(const std::filesystem::path& folder);
    /// Whether it is, and its maker has ended without taking it away.
    static bool isAbandoned(const std::filesystem::path& folder);
    /// Removes a folder that isOurs(): the mark last, so that a half removed one is still known.
    /// @return False if it is not, or something of it could not be removed.
    static bool remove(const std::filesystem::path& folder);
    /// Removes the abandoned ones among the scratch folders in `parent`. O(files of `parent`), opens those of our names only.
    static void removeAbandoned(const std::filesystem::path& parent);

private:
    ScratchFolder(std::filesystem::path path, int mark) : m_path(std::move(path)), m_mark(mark) {}

    std::filesystem::path m_path;
    int m_mark;
};

}  // namespace altiscope
