#pragma once

#include "core/tables/sources/table_source.h"
#include "core/trace/rank.h"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace altiscope {

/// A TableSource that holds its cells: for results that are computed, and for small tables.
class ColumnTable : public TableSource {
public:
    std::size_t rowCount() const override { return m_rows; }
    std::span<const TableColumn> columns() const override { return m_columns; }
    void read(std::size_t column, std::size_t first, std::span<std::int64_t> out) const override;
    std::string_view text(std::size_t column, std::int64_t number) const override;
    std::size_t textCount(std::size_t column) const override { return m_cells[column].texts.size(); }
    std::string_view beside(std::size_t column, std::size_t row) const override;

private:
    friend class ColumnTableBuilder;
    struct Cells {
        std::vector<std::int64_t> values;
        std::vector<std::string> texts;     // sorted, each once
        std::vector<std::uint32_t> beside;  // by row, numbers of `places`; fewer than rows where the last have none
        std::vector<std::string> places;    // the first is empty
    };
    std::size_t m_rows = 0;
    std::vector<TableColumn> m_columns;
    std::vector<Cells> m_cells;
};

/// Text beside the number of a rank: what distinguishes it from others of its number, or its folder where
/// no source states one.
std::string_view besideRank(const RankInfo& rank);

/// Fills a ColumnTable row by row; cells that are not set are absent.
class ColumnTableBuilder {
public:
    explicit ColumnTableBuilder(std::vector<TableColumn> columns);

    void addRow();
    /// Cells of the newest row.
    void setInteger(std::size_t column, std::int64_t value) { last(column) = value; }
    void setInteger(std::size_t column, std::optional<std::int64_t> value) {
        if (value) last(column) = *value;
    }
    void setReal(std::size_t column, double value);
    /// Its number, and what besideRank() says.
    void setRank(std::size_t column, const RankInfo& rank);
    void setText(std::size_t column, std::string_view text);

    /// Empties the builder. O(cells · log of a column's texts).
    std::shared_ptr<const ColumnTable> finish();

private:
    std::int64_t& last(std::size_t column) { return m_table->m_cells[column].values.back(); }

    std::shared_ptr<ColumnTable> m_table;
    std::vector<std::unordered_map<std::string, std::int64_t>> m_numbers;  // of texts in the order of their coming
};

}  // namespace altiscope
