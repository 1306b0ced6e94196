#pragma once

#include "core/base/values/cancel.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

namespace altiscope {

/// Where a scratch folder lies.
enum class ScratchPlace {
    Ours,    ///< Among files that this program makes.
    Capture  ///< Beside data of the user: its name is hidden there.
};

/// Names of scratch folders in captures begin so.
inline constexpr std::string_view kCaptureScratchName = ".altiscope-scratch-";

/// A folder that this process needs for a while, beside the entries of a cache or among the system's temporary files.
/// It bears a mark: a file with a magic line, the user, the process with the time it began, and the folder's own inode,
/// locked as long as the object lives. Only what bears its own mark is ever removed; a copy of such a folder, a link to
/// one, and a folder of the same name are somebody else's, but for an empty one with a name that only this program
/// gives: its maker was killed before it had its mark. Any thread.
class ScratchFolder {
public:
    /// Makes a folder with a new name in `parent`, which need not exist yet. Where this process makes its first one
    /// among files of ours, folders of killed processes are removed (removeAbandoned).
    /// @param cancel  Of the work that needs it: as in remove().
    /// @return Null, and the reason in `error`.
    static std::shared_ptr<const ScratchFolder> make(const std::filesystem::path& parent, const CancelToken& cancel,
                                                     std::error_code& error, ScratchPlace place = ScratchPlace::Ours);

    /// Removes the folder with all that is in it, if it still bears this name: see remove().
    ~ScratchFolder();
    ScratchFolder(const ScratchFolder&) = delete;
    ScratchFolder& operator=(const ScratchFolder&) = delete;

    const std::filesystem::path& path() const { return m_path; }

    /// Whether a folder was made by make() for this user, whatever it is called now.
    static bool isOurs(const std::filesystem::path& folder);
    /// Whether it is, and its maker has ended without taking it away. Among files of the user a maker of another start
    /// of the system may run on another machine whose locks are not seen here, and one of another container has a
    /// process number that means nothing here: it counts as ended once nothing in its folder has changed for a day.
    static bool isAbandoned(const std::filesystem::path& folder);
    /// Removes a folder that isOurs(): the mark last, so that a half removed one is still known.
    /// @param cancel  May be null. Once it is cancelled the removal ends within 50 ms; what is left is abandoned when
    /// this process ends.
    /// @return False if it is not, or something of it could not be removed.
    /// @note   O(files); some seconds for a million.
    static bool remove(const std::filesystem::path& folder, const CancelToken* cancel);
    /// Removes the abandoned ones among the scratch folders in `parent`. O(files of `parent`), opens those of our names
    /// only.
    /// @param cancel  May be null.
    /// @return Those that are gone now, by path.
    static std::vector<std::filesystem::path> removeAbandoned(const std::filesystem::path& parent,
                                                              const CancelToken* cancel,
                                                              ScratchPlace place = ScratchPlace::Ours);

private:
    ScratchFolder(std::filesystem::path path, int mark, CancelToken cancel)
        : m_path(std::move(path)), m_mark(mark), m_cancel(std::move(cancel)) {}

    std::filesystem::path m_path;
    int m_mark;
    CancelToken m_cancel;
};

}  // namespace altiscope
