#pragma once

#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"
#include "core/import/contracts/table_reader.h"
#include "core/store/rows/row_kinds.h"

#include <span>
#include <string_view>

namespace altiscope::reader {

/// A format of tables that is neither one of csvFormats() nor of specialFormats().
struct FurtherFormat {
    std::string_view name;   ///< TableFile::format.
    std::string_view files;  ///< As users see them: "*.pkl, *.pickle".
    /// Kinds of the rows that it fills; empty: it fills none by itself, and is read whatever is wanted.
    std::span<const RowKind> kinds;
    Result<Done> (*read)(const TableFile& table, const GroupDirectory& groups, TableContext& context);
};
std::span<const FurtherFormat> furtherFormats();

/// Reads a table file by its format: one of csvFormats(), of specialFormats() or of furtherFormats().
/// @return Error of its reader; "table.no_reader" if no list has the format.
Result<Done> readTable(const TableFile& table, const GroupDirectory& groups, TableContext& context);

/// Whether a kind is among others.
bool holdsKind(std::span<const RowKind> kinds, RowKind kind);

/// Whether files of this format fill rows of a kind, among other kinds. No for formats of special readers.
bool fillsRows(std::string_view format, RowKind kind);

/// Whether files of this format may hold rows of one of these kinds; also where nothing says that they do not.
bool mayFillRows(std::string_view format, std::span<const RowKind> kinds);

}  // namespace altiscope::reader
