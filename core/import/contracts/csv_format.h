#pragma once

#include "core/store/rows/row_builder.h"
#include "core/store/rows/row_kinds.h"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// How the text of a cell becomes a value. Absent are empty cells, and except for names "N/A", "NA", "null", "None" and
/// "-".
enum class CsvCell : std::uint8_t {
    Name,  ///< Text as it stands.
    Text,
    List,  ///< Text; one further pair of quotes around all of it is no part of it.
    Integer,
    Step,    ///< "50" or "step50".
    Device,  ///< "3" or "NPU:3"; absent where it is "host", "CPU" or -1.
    Real,
    Time,         ///< ns, from the unit of the header.
    TimeReal,     ///< ns with a fraction.
    TimeAfter,    ///< A length: the time of the column `from` plus it. Only where no other header leads to the column.
    SquaredTime,  ///< ns^2 with a fraction.
    Size,         ///< Bytes, from the unit of the header (1024-based).
};

/// A column of a CSV file that a table takes.
struct CsvColumn {
    std::string_view header;  ///< Without its unit. Several may lead to one column: names differ between versions.
    CsvCell cell = CsvCell::Text;
    std::size_t column = 0;  ///< Index in the row table.
    bool isNeeded = false;   ///< A record without it says nothing. One of several that lead to one column is needed.
    std::size_t from = 0;    ///< For TimeAfter: the column of the time from which it is counted.
};

/// A constant text that each row gets.
struct CsvConstant {
    std::size_t column = 0;
    std::string_view text;
};

/// Whether a file of a real run proves the layout of an input; else reading it is reported as experimental.
enum class InputSample : std::uint8_t { Unstated, Real, None };

/// Whether the databases of profilers have the content of a file too; else it is read beside them.
enum class InDatabases : std::uint8_t { Unstated, Too, Lacking };

/// Name and columns of a kind of CSV file. Source: core/import/csv/FORMAT.md.
struct CsvFormat {
    std::string_view name;  ///< Files are called "NAME.csv", "NAME_{stamp}.csv", "NAME_slice_{n}_{stamp}.csv".
    RowKind kind = RowKind::Operator;
    std::span<const CsvColumn> columns;
    std::string_view timeUnit = "us";  ///< Unit of times whose header names none.
    std::span<const CsvConstant> constants{};
    /// Columns that are no metrics; where it is not empty, all that are neither here nor in `columns` are metrics:
    /// further real columns of the table, times in ns.
    std::span<const std::string_view> notMetrics{};
    /// The text of a column that follows from others, by column of the row table; its value is constant. Null: none.
    std::string_view (*derived)(std::span<const std::string_view> texts) = nullptr;
    std::size_t derivedColumn = 0;
    /// Columns of the table that no two rows have alike: of those that do the first counts. Read by one worker.
    std::span<const std::size_t> key{};
    /// The columns of the newest row whose numbers cannot be beside the others of the row; they are left empty. Null:
    /// none.
    std::vector<std::size_t> (*oddCells)(const RowBatch& batch) = nullptr;
    /// Completes the newest row by its texts, by column of the row table; false: it is none of this table, and dropped.
    /// Null: none.
    bool (*complete)(RowBatch& batch, std::span<const std::string_view> texts) = nullptr;
    /// Header of names that the vendor writes without quotes, commas or not; empty: none. They have the cells that a
    /// record has too many.
    std::string_view unquoted{};
    std::string_view ending = ".csv";  ///< End of the files' names.
    InputSample sample = InputSample::Unstated;
    InDatabases inDatabases = InDatabases::Unstated;
};

/// All formats, in order of preference: of those that lead to the same table, the first whose files are there is read.
std::span<const CsvFormat> csvFormats();

/// The unit that a header ends in, "us" in "Start Time(us)"; empty if there is none that this program knows.
std::string_view csvUnit(std::string_view header);

}  // namespace altiscope::reader
