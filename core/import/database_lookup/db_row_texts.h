#pragma once

#include "core/import/database_lookup/db_texts.h"
#include "core/store/rows/row_builder.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <unordered_map>

namespace altiscope::reader {

/// A text as a cell: nothing where it is one of those that stand for nothing in the text exports ("N/A", "", ...),
/// which share their words with the databases. Blanks around it are no part of it.
std::optional<std::string_view> cellText(std::string_view text);
/// The same for lists of shapes and types: one pair of quotes around all of it is no part of it either.
std::optional<std::string_view> listText(std::string_view text);

/// Whether a text holds anything but numbers and what stands between them in lists.
bool holdsWords(std::string_view text);

/// Sets texts of STRING_IDS in rows, and remembers under which id the tables have them. One worker's.
class DbRowTexts {
public:
    explicit DbRowTexts(const DbTexts& texts) : m_texts(texts) {}

    /// Text of a name: any, "N/A" where there is none.
    std::int64_t name(RowBatch& batch, std::int64_t id) { return find(m_names, batch, id, Kind::Name); }
    /// As cellText; kNoCell for nothing.
    std::int64_t cell(RowBatch& batch, std::int64_t id) { return find(m_cells, batch, id, Kind::Cell); }
    /// As cell(), with the line ends that a CSV file has.
    std::int64_t lines(RowBatch& batch, std::int64_t id) { return find(m_lines, batch, id, Kind::Lines); }
    /// As holdsWords; a negative id is no text.
    bool hasWords(std::int64_t id);
    /// As listText; kNoCell for nothing.
    std::int64_t list(RowBatch& batch, std::int64_t id) { return find(m_lists, batch, id, Kind::List); }

private:
    enum class Kind : std::uint8_t { Name, Cell, List, Lines };
    using Known = std::unordered_map<std::int64_t, std::int64_t>;
    std::int64_t find(Known& known, RowBatch& batch, std::int64_t id, Kind kind);

    const DbTexts& m_texts;
    Known m_names, m_cells, m_lists, m_lines;
    std::unordered_map<std::int64_t, bool> m_haveWords;
};

/// Sets a text by the id that DbRowTexts gave.
inline void setKnownText(RowBatch& batch, std::size_t column, std::int64_t id) {
    if (id != kNoCell) batch.setTextId(column, id);
}

/// Sets a text that may hold anything.
void setAnyText(RowBatch& batch, std::size_t column, std::string_view text);

}  // namespace altiscope::reader
