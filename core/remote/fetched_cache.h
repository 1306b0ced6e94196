#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace altiscope::remote {

/// Captures that were fetched from hosts, in a folder of its own beside the import cache: an entry for each state of a
/// capture there. Several processes may use it.
class FetchedCache {
public:
    /// 20 GiB, as the import cache's.
    static const std::uint64_t kDefaultLimit;

    /// @param importCache  Folder of the import cache; its name with "-remote" behind is this one's. An import cache
    ///                     that captures lie in would not be used.
    explicit FetchedCache(const std::filesystem::path& importCache, std::uint64_t limit = kDefaultLimit);

    /// Whether there is such a folder, or one can be made for this user alone.
    bool isUsable() const;
    const std::filesystem::path& folder() const { return m_folder; }
    /// The folder of an entry; it need not be there.
    std::filesystem::path entry(const std::string& key) const { return m_folder / key; }
    /// Says that an entry was used now.
    void touch(const std::string& key) const;
    /// Keeps an entry from being removed until this process ends, if it is there: what was fetched is read from its
    /// place, and files of a large capture for long.
    void hold(const std::string& key) const;
    /// Removes the least recently used entries that go beyond the limit, but `kept` and what a process holds. Nothing
    /// but what is named as an entry of ours is removed.
    /// @param expected  Bytes that `kept` will have.
    void sweep(const std::string& kept, std::uint64_t expected) const;

    struct Entry {
        std::filesystem::path path;
        std::string content;  ///< Names of captures in it.
        std::uint64_t bytes = 0;
        std::filesystem::file_time_type lastUse;
    };
    /// Last used first. Other files in the folder are not listed.
    std::vector<Entry> entries() const;
    /// Removes all entries but those that a process holds. @return How many are gone.
    std::size_t clear() const;

private:
    std::filesystem::path m_folder;
    std::uint64_t m_limit;
};

}  // namespace altiscope::remote
