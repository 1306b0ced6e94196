#pragma once

#include "core/base/text/diagnostics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Faults of a record of a CSV file. Codes and severities: csv_problems.cpp.
enum class CsvProblem : std::uint8_t {
    BadNumber,     ///< A cell that should be a number is none; it is left empty.
    OutOfRange,    ///< A number beyond what can be kept; the cell is left empty.
    LowPrecision,  ///< A time stamp in exponent form, of which a spreadsheet has kept a few digits.
    MissingValue,  ///< Record dropped: a cell without which it says nothing is empty.
    ShortRecord,   ///< Fewer cells than the header; the others are empty.
    LongRecord,    ///< More cells than the header; they are left out.
    InvalidUtf8,   ///< Bytes that are no text became U+FFFD.
    Gbk,           ///< A text in GBK was converted.
    RepeatedRow,   ///< Record dropped: another one before says what it says.
    Cut,           ///< The file ends inside this record; the cells before are kept if they suffice.
};
inline constexpr std::size_t kCsvProblems = static_cast<std::size_t>(CsvProblem::Cut) + 1;

/// Counts problems of one part of one file.
class CsvProblems {
public:
    /// @param row  Of the part, from 0.
    void add(CsvProblem problem, std::uint64_t row, std::string_view column = {}, std::string_view value = {});
    /// @param firstRow  Number of the part's row 0, as a spreadsheet counts: the header is row 1.
    void addTo(Diagnostics& diagnostics, std::string_view file, std::uint64_t firstRow) const;

private:
    struct Entry {
        std::uint64_t count = 0;
        std::vector<std::uint64_t> rows;
        std::string column, value;
    };
    std::array<Entry, kCsvProblems> m_entries;
};

}  // namespace altiscope::reader
