#pragma once

#include "core/base/text/diagnostics.h"
#include "core/base/threads/progress.h"
#include "core/base/values/cancel.h"
#include "core/base/values/result.h"
#include "core/import/contracts/capture_manifest.h"

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// One record of a CSV file.
struct CsvRecord {
    std::vector<std::string> cells;  ///< Without quotes and blanks around them.
    std::uint64_t row = 0;           ///< From 1, as a spreadsheet counts records.
    std::uint64_t byte = 0;          ///< Offset in the file at which it begins.
    bool isLast = false;             ///< No line end follows: it may be cut.
};

/// Calls `visit` for each record that is not empty, in file order, on the calling thread: for small files whose records
/// say more than a row each. Big files with a row per record are for readCsv. A byte order mark is skipped.
///
/// @param problems  Gets what hides records from the visitor: "csv.empty", "text.zeros", "csv.cut" (lost: a quote opens
///                  a cell that holds the rest of the file), "csv.no_line_end", "csv.stray_quote" (repaired); null
///                  where the file is read once more.
/// @return Error of ReadOnlyFile, or "csv.record_too_large" with the row.
/// @note   Memory: a record, of 16 MiB at most.
Result<Done> eachCsvRecord(const SourceFile& file, Diagnostics* problems, ProgressSlot& progress,
                           const CancelToken& cancel, const std::function<void(CsvRecord&)>& visit);

/// Whether a header holds a number, which no heading is: its line end was changed, and a record became part of it.
bool holdsValues(const CsvRecord& header);

/// Places of columns by their names in a header. Blanks around names are no part of them.
class CsvColumns {
public:
    CsvColumns() = default;
    explicit CsvColumns(std::vector<std::string> header) : m_header(std::move(header)) {}

    /// The first column of that name.
    std::optional<std::size_t> find(std::string_view name) const;
    /// The first column that has one of the names.
    std::optional<std::size_t> findAny(std::initializer_list<std::string_view> names) const;
    std::size_t size() const { return m_header.size(); }

private:
    std::vector<std::string> m_header;
};

}  // namespace altiscope::reader
