#pragma once

#include "core/base/text/diagnostics.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace altiscope::reader {

/// Faults of a row of a profiler database. Codes and severities: db_problems.cpp.
enum class DbProblem : std::uint8_t {
    MissingTime,        ///< Row dropped: it does not say when it was.
    WrongType,          ///< Row dropped: a text or blob stands where a number is needed.
    OutOfRange,         ///< Row dropped: a number beyond what can be kept.
    OddType,            ///< Row kept without a value that has another type.
    MissingEnd,         ///< Slice kept with duration 0: its end is unknown.
    NegativeDuration,   ///< Slice kept with duration 0: it ends before it begins.
    MissingTask,        ///< Row dropped: it belongs to a task that is not there, and only that knows its time.
    MissingColumn,      ///< Table not read: a column without which it says nothing is not there.
    RowNumber,          ///< Rows dropped: their numbers are beyond what positions can hold.
    TableCut,           ///< The rest of the table (or of a part of it) could not be read.
    KernelWithoutTask,  ///< Row dropped: a kernel whose task is not there, and only that knows its time.
    NoKernel,           ///< Row dropped: it belongs to a kernel that is not there.
    TooManyNames,       ///< Row dropped: a table of metrics has more names than any chip has.
    RowOrder,           ///< Row dropped: its number does not follow the one before.
    MissingRows,        ///< Rows that the pages hold did not come.
    MissingId,          ///< Row dropped: it does not say what it belongs to.
    MissingText,        ///< Row kept without a text that STRING_IDS does not hold.
    NotATable,          ///< Not read: something else has the table's name.
    NoTable,            ///< A table that the others need is not there.
    NoRowIds,           ///< Rows kept, without their arguments: the table numbers none.
    MissingName,        ///< Row kept with "N/A": it does not say which text it is called by.
    NoEntry,            ///< Row kept without what it names in another table, which does not hold that.
    OddNumber,          ///< Row kept without a number that cannot be.
    InexactTime,        ///< Row kept: a whole number stands as a floating-point number that has lost digits.
    RepeatedRow,        ///< Row dropped: another one before says what it says.
    BrokenChain,        ///< Call stack kept without some of its frames, which are not there.
    NoCollective,       ///< Row kept: its collective is not there, as of one in which the recording began.
    UnknownRun,  ///< Row kept without what differs from run to run of its graph: nothing says which one it is of.
};
inline constexpr std::size_t kDbProblemCount = static_cast<std::size_t>(DbProblem::UnknownRun) + 1;

/// Counts problems by table, cheaply; one belongs to one worker.
class DbProblemLog {
public:
    /// @param detail  A column, or what SQLite says; part of the sentence.
    void add(DbProblem problem, std::string_view table, std::int64_t row, std::string_view detail = {});
    /// Many at once, whose rows are not known.
    void addCount(DbProblem problem, std::string_view table, std::uint64_t count);
    /// Appends what a later part of the file says.
    void append(const DbProblemLog& later);
    void addTo(Diagnostics& diagnostics, std::string_view file) const;
    bool holds(DbProblem problem, std::string_view table) const {
        const auto& byTable = m_entries[static_cast<std::size_t>(problem)];
        return byTable.find(table) != byTable.end();
    }

private:
    struct Entry {
        std::uint64_t count = 0;
        std::vector<std::int64_t> rows;
        std::string detail;
    };
    std::array<std::map<std::string, Entry, std::less<>>, kDbProblemCount> m_entries;  // by table
};

}  // namespace altiscope::reader
