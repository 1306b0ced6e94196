#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/result.h"
#include "core/import/contracts/table_reader.h"

#include <nlohmann/json_fwd.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace altiscope::reader {

/// The largest file that is parsed as a whole: as a tree in memory it takes many times as much.
inline constexpr std::uint64_t kMaxJsonTable = std::uint64_t{32} << 20;

/// The JSON object that a file is. Where it is none, an empty object, and "table.broken" or "json.too_deep" (lost).
/// @return Error of readSmallText().
Result<nlohmann::json> jsonTable(const SourceFile& file, Diagnostics& diagnostics, ProgressSlot& progress);
Result<nlohmann::json> jsonTable(const SourceFile& file, TableContext& context);

/// Reports an entry of a list that cannot be a row: "table.broken" (lost).
/// @param number  From 1, in its list.
void reportBadEntry(const SourceFile& file, std::size_t number, std::string_view shown, TableContext& context);

/// As much of a bad text as a message shows.
std::string shownBeginning(std::string_view text);

}  // namespace altiscope::reader
