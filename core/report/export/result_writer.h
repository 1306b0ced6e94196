#pragma once

#include "core/base/values/error.h"
#include "core/query/results/row_sink.h"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope {

/// Forms in which rows of a query are written.
enum class ResultFormat : std::uint8_t {
    Table,  ///< For people: aligned columns; NULL spelled out; control characters as escapes. Nothing is cut off.
    Csv,    ///< RFC 4180 with a header, lines end with CR LF; NULL is an empty field, an empty text is "".
    SpreadsheetCsv,  ///< The same, but a text that a spreadsheet may run as a formula has a ' in front.
    Json,            ///< One array of objects, a row a line; keys in the order of the SELECT.
    Arrow,           ///< An Arrow IPC stream (arrow_writer.h): bytes, no text.
};

/// The format called "table", "csv", "json" or "arrow"; nullopt for anything else.
std::optional<ResultFormat> resultFormat(std::string_view word);
/// The format of a file, by the ending of its name: .csv, .json or .arrows; nullopt for any other.
std::optional<ResultFormat> resultFormatOfFile(std::string_view name);

/// Takes a part of the output. @return False if nothing more can be written, which stops the query.
using WriteText = std::function<bool(std::string_view)>;

/// Writes the rows of a query, as text row by row, as resources/help/reference/command-line.md says. Memory does not
/// grow with the number of rows, nor twice with the length of a value: it goes out in pieces of 64 KB. A table looks at
/// its first kTableRows rows, or fewer if they are long, to find the widths of its columns, and wider texts below stick
/// out.
///
/// Integers are exact at any size. Reals are the shortest decimals that read back as the same double; an infinity,
/// which JSON has no word for, is 1e999, which reads back as one. Blobs are hexadecimal, two small letters a byte. Text
/// that is no valid UTF-8 has its bad bytes replaced by U+FFFD. The second column of a name is called name_2, the third
/// name_3.
class ResultWriter : public RowSink {
public:
    static constexpr std::size_t kTableRows = 1000;

    /// Writes what is left. Call once, after the query has succeeded.
    /// @return False if nothing more could be written.
    virtual bool finish() = 0;

    /// Why row() or finish() returned false, where that is no matter of the output: Error "arrow.mixed_column" {column,
    /// row} of a column whose values the type of the ones before cannot hold.
    virtual const std::optional<Error>& problem() const {
        static const std::optional<Error> none;
        return none;
    }
};

std::unique_ptr<ResultWriter> makeResultWriter(ResultFormat format, WriteText write);

/// The names with repeated ones made distinct, as ResultWriter does it.
std::vector<std::string> distinctNames(std::span<const std::string> names);

}  // namespace altiscope
