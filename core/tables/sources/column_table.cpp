#include "core/tables/sources/column_table.h"

#include <algorithm>
#include <bit>
#include <utility>

namespace altiscope {

void ColumnTable::read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const {
    const auto begin = m_cells[column].values.begin() + static_cast<std::ptrdiff_t>(first);
    std::copy_n(begin, out.size(), out.begin());
}

std::string_view ColumnTable::text(std::size_t column, std::int64_t number) const {
    return m_cells[column].texts[static_cast<std::size_t>(number)];
}

std::string_view ColumnTable::beside(std::size_t column, std::size_t row) const {
    const Cells& cells = m_cells[column];
    return row < cells.beside.size() ? std::string_view(cells.places[cells.beside[row]]) : std::string_view();
}

std::string_view besideRank(const RankInfo& rank) {
    if (!rank.place.empty() || rank.rankId || rank.path == ".") return rank.place;
    const std::string_view path = rank.path;
    return path.substr(path.find_last_of('/') + 1);  // npos + 1 is 0
}

ColumnTableBuilder::ColumnTableBuilder(std::vector<TableColumn> columns)
    : m_table(std::make_shared<ColumnTable>()), m_numbers(columns.size()) {
    m_table->m_columns = std::move(columns);
    m_table->m_cells.resize(m_table->m_columns.size());
}

void ColumnTableBuilder::addRow() {
    ++m_table->m_rows;
    for (auto& cells : m_table->m_cells) cells.values.push_back(kAbsentCell);
}

void ColumnTableBuilder::setReal(std::size_t column, double value) {
    // The sum makes -0, whose bits are those of an absent cell, a 0.
    last(column) = std::bit_cast<std::int64_t>(value + 0.0);
}

void ColumnTableBuilder::setRank(std::size_t column, const RankInfo& rank) {
    setInteger(column, rank.rankId);
    const std::string_view text = besideRank(rank);
    if (text.empty()) return;
    m_table->m_columns[column].hasBeside = true;
    auto& [values, texts, beside, places] = m_table->m_cells[column];
    if (places.empty()) places.emplace_back();
    // Rows mostly stand by rank.
    auto place = std::prev(places.end());
    if (*place != text) place = std::find(places.begin(), places.end(), text);
    const auto number = static_cast<std::uint32_t>(place - places.begin());
    if (place == places.end()) places.emplace_back(text);
    beside.resize(m_table->m_rows);
    beside.back() = number;
}

void ColumnTableBuilder::setText(std::size_t column, std::string_view text) {
    auto& numbers = m_numbers[column];
    last(column) = numbers.try_emplace(std::string(text), static_cast<std::int64_t>(numbers.size())).first->second;
}

std::shared_ptr<const ColumnTable> ColumnTableBuilder::finish() {
    for (std::size_t column = 0; column < m_numbers.size(); ++column) {
        if (m_table->m_columns[column].type != CellType::Text) continue;
        auto& cells = m_table->m_cells[column];
        std::vector<std::pair<std::string, std::int64_t>> sorted(m_numbers[column].begin(), m_numbers[column].end());
        std::sort(sorted.begin(), sorted.end());
        std::vector<std::int64_t> place(sorted.size());
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            place[static_cast<std::size_t>(sorted[i].second)] = static_cast<std::int64_t>(i);
            cells.texts.push_back(std::move(sorted[i].first));
        }
        for (std::int64_t& value : cells.values) {
            if (value != kAbsentCell) value = place[static_cast<std::size_t>(value)];
        }
    }
    return std::exchange(m_table, nullptr);
}

}  // namespace altiscope
