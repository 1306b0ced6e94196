#pragma once

#include "core/import/contracts/csv_format.h"
#include "core/import/csv/csv_problems.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Rules for the columns of one CSV file, from its header.
struct CsvMapping {
    /// Rule for a column of the file.
    struct Rule {
        std::string header;
        CsvCell cell = CsvCell::Text;
        std::size_t column = 0;
        std::int64_t factor = 1;  ///< To ns or bytes.
        int shift = 0;            ///< The same as power of ten, for reals.
        bool isUsed = false;
        bool isNeeded = false;
        bool isMetric = false;
        bool isLength = false;  ///< Never below 0: a time that is no stamp and no difference, a total, a count.
        bool isBegin = false;   ///< A time that the one of a TimeAfter follows.
        std::size_t from = 0;   ///< For TimeAfter: the column of the time from which it is counted.
    };
    /// Files have up to some hundred metrics; further ones of a hostile header are left out.
    static constexpr std::size_t kMaxMetrics = 512;
    const CsvFormat* format = nullptr;
    std::size_t metrics = 0;
    std::size_t metricsExcluded = 0;
    char lineEnd = '\n';  ///< As CsvBorders::lineEndOf.
    std::vector<Rule> rules;
    /// CsvFormat::key; empty where rows are also those of a model, which is no column of ours.
    std::span<const std::size_t> key{};
    std::optional<std::size_t> unquoted{};  ///< Place of CsvFormat::unquoted.
    std::vector<std::string> repeated;      ///< Headers that occur again; their first column counts.
    std::vector<std::string> absent;        ///< Needed columns that the file does not have.
    std::vector<std::string> unitless;      ///< Headings of sizes, and of times among metrics, without a unit.
};

/// Cells of one record, without quotes, blanks around them and the record's end.
std::vector<std::string> csvCells(std::string_view record);

/// @param builder  Gets the further columns that metrics need.
CsvMapping mapCsvHeader(std::string_view header, const CsvFormat& format, RowTablesBuilder& builder);

/// Cells of CsvFormat::key, by row.
using CsvKeys = std::set<std::vector<std::int64_t>>;

/// Turns records into rows. One worker's; reused from part to part.
class CsvRows {
public:
    /// @param keys  Of all rows of the file so far; of several objects that have them one reads at a time.
    CsvRows(const CsvMapping& mapping, RowTablesBuilder& builder, CsvKeys& keys);

    /// @param part   Whole records; the last may lack its line end.
    /// @param isCut  The file ends in the last record without closing it.
    void read(std::string_view part, bool isCut, CsvProblems& problems);
    /// Rows of `part` that were read or dropped.
    std::uint64_t records() const { return m_record; }
    RowBatch& batch() { return m_batch; }

private:
    struct Cell {
        std::string_view text;
        const char* next = nullptr;
    };
    /// @param isLast  The header has no further column: here a carriage return alone ends the record, too.
    Cell cell(const char* at, const char* end, bool isLast);
    bool endsCell(char c) const { return c == ',' || c == '\n' || c == m_mapping.lineEnd; }
    /// Reads a cell that is a plain number to its end and takes it; null if the cell wants a closer look.
    const char* takePlain(const CsvMapping::Rule& rule, const char* at, const char* end);
    /// A real in the form in which it is kept; false if it is too long for that.
    bool setDecimal(std::size_t column, std::uint64_t digits, int scale);
    void take(const CsvMapping::Rule& rule, std::string_view text, CsvProblems& problems);
    void setText(const CsvMapping::Rule& rule, std::string_view text, CsvProblems& problems);
    void setInteger(const CsvMapping::Rule& rule, std::string_view text, std::optional<std::int64_t> value,
                    CsvProblems& problems);
    void setReal(const CsvMapping::Rule& rule, std::string_view text, int shift, CsvProblems& problems);
    void dropOddCells(CsvProblems& problems);
    /// The rule of the heading that leads to a column of the table; null if the file has none.
    const CsvMapping::Rule* ruleOf(std::size_t column) const;
    /// The record that a text begins with, if it has more cells than the header; else empty.
    std::string_view longRecord(std::string_view text) const;
    /// Reads one record to its end. @return The begin of the next.
    const char* readRecord(const char* at, const char* end, bool isCut, CsvProblems& problems);
    void finishRecord(std::size_t cells, bool isLong, bool isCut, CsvProblems& problems);

    bool isRepeated();
    bool m_hasOddStep = false;  // in the record: rows of unknown steps are not alike

    const CsvMapping& m_mapping;
    CsvKeys& m_keys;
    RowBatch m_batch;
    std::uint64_t m_record = 0;
    bool m_isAscii = false;  // nothing of the part needs a look at its characters
    std::string m_unquoted;
    std::vector<std::string_view> m_texts;  // of the record, by column of the table
    struct LastText {
        std::string text;
        std::int64_t id = -1;
    };
    std::vector<LastText> m_last;  // by column of the table
    std::vector<std::size_t> m_needed;
    std::optional<std::int64_t> m_begin, m_length;  // of the record, where durations give a time
    std::size_t m_after = 0;                        // the column of that time
};

}  // namespace altiscope::reader
