#pragma once

#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/store/columns/trace_store.h"
#include "core/store/file/store_sections.h"
#include "core/store/rows/row_table.h"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Raised whenever the meaning or layout of anything in a store file changes; files of other versions are not read.
inline constexpr std::uint32_t kStoreFileVersion = 26;

/// Content of a store file: a sealed store, the summary rows of its rank, and a text of whoever wrote it.
struct StoreFileContent {
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const RowTables> rows;  ///< Null if there are none.
    std::string note;
};

/// A sealed store with the summary rows of its rank (null: none) and a note, as the bytes of a store file: header with
/// magic, version and a checked table of sections; then the columns, 64-byte aligned, in this machine's byte order.
/// Looks into all three, which must outlive it.
class StoreImage {
public:
    /// O(bytes), for checksums. Useless if it was cancelled meanwhile.
    StoreImage(const TraceStore& store, const RowTables* rows, std::string_view note, const CancelToken& cancel = {});

    std::uint64_t size() const { return m_size; }
    std::string bytes() const;
    /// Writes a file. It appears under its name complete or not at all (written beside it under a temporary name, then
    /// renamed); a failed write leaves nothing behind.
    /// @return Cancelled, or Error "cache.not_written" with the system's reason. Any thread.
    Result<Done> write(const std::filesystem::path& path) const;

private:
    struct Part {
        SectionEntry entry;
        const void* data = nullptr;
    };
    void add(std::uint32_t number, std::size_t elementSize, const void* data, std::uint64_t bytes);
    void addRows(const RowTables& rows);
    void place();
    template <class Take>
    void each(const Take& take) const;

    CancelToken m_cancel;
    std::vector<Part> m_parts;
    std::string m_tracks, m_rowDirectory;
    StoreFileHeader m_header;
    std::uint64_t m_size = 0;
};

/// A file that appears under its name complete or not at all, of a text.
/// @return As StoreImage::write.
Result<Done> writeCacheFile(const std::filesystem::path& path, std::string_view bytes, const CancelToken& cancel);

/// Maps a store file: columns look into the mapping, which lives as long as any of them. Size and checksums of all
/// sections are checked first, and that no number in them leads out of them, so a truncated, flipped, foreign or forged
/// file is refused instead of believed.
/// @return Cancelled, or Error "cache.unusable", also for a link and for what is no file. Only for local file systems:
///         a mapped file that is cut by somebody else kills the program, and nobody else writes the user's cache.
Result<StoreFileContent> readStoreFile(const std::filesystem::path& path, const CancelToken& cancel = {});

/// A store file that lies in a larger one, or in memory; `path` is for the error. As readStoreFile.
struct StoreBytes {
    std::shared_ptr<const void> owner;  ///< Keeps the bytes.
    std::string_view bytes;             ///< 64-byte aligned.
};
Result<StoreFileContent> readStoreBytes(const StoreBytes& file, const std::filesystem::path& path,
                                        const CancelToken& cancel);

/// The note alone, checked, without touching the columns.
/// @return Error "cache.unusable".
Result<std::string> readStoreNote(const std::filesystem::path& path);

}  // namespace altiscope
