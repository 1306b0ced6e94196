#pragma once

#include "core/base/result.h"
#include "core/store/row_table.h"
#include "core/store/trace_store.h"

#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

namespace altiscope {

/// Raised whenever the meaning or layout of anything in a store file changes; files of other versions are not read.
inline constexpr std::uint32_t kStoreFileVersion = 8;

/// What a store file holds: a sealed store, the summary rows of its rank, and a text of whoever wrote it.
struct StoreFileContent {
    std::shared_ptr<const TraceStore> store;
    std::shared_ptr<const RowTables> rows;  ///< Null if there are none.
    std::string note;
};

/// Writes a sealed store and the summary rows of its rank (null: none) so that readStoreFile can map it. The file appears under its name complete or not at all
/// (written beside it under a temporary name, then renamed); a failed write leaves nothing behind.
/// @return Error "cache.not_written" with the system's reason.
/// @note   Layout: header with magic, version and a checked table of sections; then the columns, 64-byte aligned, in this
///         machine's byte order. Any thread; O(bytes).
Result<Done> writeStoreFile(const std::filesystem::path& path, const TraceStore& store, const RowTables* rows, std::string_view note);

/// Maps a store file: columns look into the mapping, which lives as long as any of them. Size and checksums of all
/// sections are checked first, so a truncated, flipped or foreign file is refused instead of believed.
/// @return Error "cache.unusable". Only for local file systems: a mapped file that is cut by somebody else kills the program,
///         and nobody else writes the user's cache.
Result<StoreFileContent> readStoreFile(const std::filesystem::path& path);

/// The note alone, checked, without touching the columns.
/// @return Error "cache.unusable".
Result<std::string> readStoreNote(const std::filesystem::path& path);

} // namespace altiscope
