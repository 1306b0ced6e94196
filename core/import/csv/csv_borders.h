#pragma once

#include <cstddef>
#include <optional>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Finds where records end in a CSV text that comes piece by piece. A quote opens a quoted cell at the beginning of a
/// cell only and closes at the next one that is not doubled; line ends within do not count. The same rule as Python's
/// csv module.
///
/// Records end with a line feed, or, in the files of old systems, with a carriage return alone.
class CsvBorders {
public:
    /// The character that ends the records of a text, by its first line: '\n' (also of CR LF) or '\r'; nullopt if there
    /// is no line end yet.
    /// @param isLast  Nothing follows the text.
    static std::optional<char> lineEndOf(std::string_view text, bool isLast);

    /// A quoted cell that is longer than this is taken for a stray quote.
    static constexpr std::size_t kMaxCell = std::size_t{16} << 20;
    /// Length of a quoted cell that the end of the file cuts off; a longer one is taken for a stray quote.
    static constexpr std::size_t kMaxCutCell = std::size_t{64} << 10;

    struct Found {
        /// Ends of records, ascending: one about every `partBytes` (0: all), and the last one of the text.
        std::vector<std::size_t> ends;
        /// A quote that opens a cell without end; its record begins after ends.back(). Replace it and ask again.
        std::size_t strayQuote = std::string_view::npos;
        bool isQuoteOpen = false;  ///< The text ends inside a quoted cell.
    };
    /// @param text    Begins with a record.
    /// @param isLast  Nothing follows the text.
    /// @param lineEnd  As lineEndOf(). A long text without one is searched for the other.
    /// @note O(text), mostly at the speed of memchr.
    static Found find(std::string_view text, std::size_t partBytes, bool isLast, char lineEnd);
};

}  // namespace altiscope::reader
