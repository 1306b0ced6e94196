#pragma once

#include "core/base/values/cancel.h"
#include "core/store/file/mapped_file.h"
#include "core/store/file/store_file.h"

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace altiscope {

/// Store files of many small ranks in one file: thousands of small files take longer to make than what they hold.
/// After its header stand the keys with the places of the entries, checked, then a note, then the entries, each as in
/// a file of its own. Any thread.
class StorePack {
public:
    using Entries = std::map<std::string, std::string_view, std::less<>>;  ///< Bytes of store files by key.

    /// @return Null for what is no pack, or not a whole one.
    static std::shared_ptr<const StorePack> open(const std::filesystem::path& path);
    /// The bytes of a pack; the keys of its entries must be those of StoreCache::key().
    static std::string bytesOf(std::string_view note, const Entries& entries);

    const std::string& note() const { return m_note; }
    const Entries& entries() const { return m_entries; }
    /// @return nullopt if it is not there or damaged, and when it was cancelled.
    std::optional<StoreFileContent> find(std::string_view key, const CancelToken& cancel) const;

private:
    std::shared_ptr<const MappedFile> m_file;
    std::string m_note;
    Entries m_entries;
};

}  // namespace altiscope
