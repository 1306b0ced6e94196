#include "core/import/sqlite/repeated_rows.h"

#include <xxhash.h>

#include <algorithm>
#include <bit>

namespace altiscope::reader {

namespace {

/// Drops most of the rows whose hash no other one has: sorting all would take longer.
void dropLoneRows(std::vector<std::pair<std::uint64_t, std::int64_t>>& rows) {
    static constexpr std::size_t kBitsOfRow = 8;
    const std::size_t mask = std::bit_ceil(rows.size() * kBitsOfRow + 1) - 1;
    std::vector<bool> once(mask + 1), again(mask + 1);
    for (const auto& [hash, number] : rows) {
        const std::size_t at = hash & mask;
        if (once[at]) again[at] = true;
        else once[at] = true;
    }
    std::erase_if(rows, [&](const auto& row) { return !again[row.first & mask]; });
}

}  // namespace

void RepeatedRows::add(const DbRow& row, std::size_t columns) { m_rows.emplace_back(row.hash(columns), row.number()); }

void RepeatedRows::append(RepeatedRows later) {
    if (m_rows.empty()) m_rows = std::move(later.m_rows);
    else m_rows.insert(m_rows.end(), later.m_rows.begin(), later.m_rows.end());
}

void RepeatedRows::report(std::string_view table, DbProblemLog& problems, AlikeRows alike) {
    const std::size_t rows = m_rows.size();
    dropLoneRows(m_rows);
    std::sort(m_rows.begin(), m_rows.end());
    std::vector<std::int64_t> again;
    for (std::size_t i = 1; i < m_rows.size(); ++i) {
        if (m_rows[i].first == m_rows[i - 1].first) again.push_back(m_rows[i].second);
    }
    m_rows.clear();
    if (!holdsRepetition(alike, again.size(), rows)) return;
    std::sort(again.begin(), again.end());
    for (const std::int64_t number : again) problems.add(DbProblem::RepeatedRow, table, number);
}

std::uint64_t DbRow::hash(std::size_t columns) const {
    static constexpr std::size_t kMaxColumns = 64;
    std::uint64_t cells[kMaxColumns] = {};
    columns = std::min(columns, kMaxColumns);
    for (std::size_t i = 0; i < columns; ++i) {
        const int column = static_cast<int>(i);
        switch (typeOf(column)) {
        case SQLITE_INTEGER: cells[i] = static_cast<std::uint64_t>(integerAt(column)); break;
        case SQLITE_NULL: cells[i] = 0x9E3779B97F4A7C15ULL; break;
        default: {
            const std::string_view characters = text(column);
            cells[i] = XXH3_64bits(characters.data(), characters.size());
        }
        }
    }
    return XXH3_64bits(cells, columns * sizeof cells[0]);
}

}  // namespace altiscope::reader
