#pragma once

#include "core/import/contracts/alike_rows.h"
#include "core/import/sqlite/db_row.h"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace altiscope::reader {

/// Finds rows that say to the letter what a row before them says, in tables whose rows each have their time and what
/// they are of: a part of such a table was appended to itself. 16 bytes a row.
class RepeatedRows {
public:
    /// @param columns  Of the row that count.
    void add(const DbRow& row, std::size_t columns);
    /// Appends what was found in a later part of the table.
    void append(RepeatedRows later);
    /// Reports them as RepeatedRow, and forgets all rows. O(rows log rows).
    void report(std::string_view table, DbProblemLog& problems, AlikeRows alike = AlikeRows::None);

private:
    std::vector<std::pair<std::uint64_t, std::int64_t>> m_rows;  // hash, number
};

}  // namespace altiscope::reader
