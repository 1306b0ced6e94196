#pragma once

#include "core/query/lookup/run_parts.h"
#include "core/query/tables/virtual_table.h"

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace altiscope {

/// A small table whose rows lie in a list, by rank. `Rows` tells them apart:
///
///     class Rows {
///         explicit Rows(const QueryContext&);
///         static constexpr int kRankColumn;              // kNoRankColumn if the table has none
///         std::size_t size() const;
///         std::size_t firstOf(RankIndex rank) const;     // first row of the rank or of one after it
///         void column(sqlite3_context*, std::size_t row, int column) const;
///         RankIndex rankOf(std::size_t row) const;       // of tables with the column `recording`; may be kNoRank
///         bool prepare() const;     // optional: makes the rows before they are first gone through; false if cancelled
///     };
template <class Rows>
class ListTable {
public:
    ListTable(const TableInfo& info, const QueryContext& context)
        : m_context(context), m_lookups(info.columns.size(), Lookup::None), m_rows(context) {
        if (Rows::kRankColumn >= 0) m_lookups[static_cast<std::size_t>(Rows::kRankColumn)] = Lookup::Id;
    }

    std::span<const Lookup> lookups() const { return m_lookups; }
    Lookup rowidLookup() const { return Lookup::None; }

    void plan(IndexRequest& request) const {
        const auto size = static_cast<double>(m_rows.size());
        const double share =
            request.accepted().empty() ? 1 : 1 / std::max(1.0, static_cast<double>(m_context.index.rankCount()));
        request.promise(0, size * share, size * share + 1);
        const auto& order = request.order();
        if (order.size() == 1 && order[0].column == Rows::kRankColumn && !order[0].descending) request.promiseOrder();
    }

    class Cursor {
    public:
        explicit Cursor(const ListTable& table) : m_table(table) {}

        int filter(int, const Conditions& conditions) {
            m_ranges.clear();
            m_range = 0;
            if constexpr (requires(const Rows& rows) { rows.prepare(); }) {
                if (!m_table.m_rows.prepare()) return SQLITE_INTERRUPT;
            }
            IntegerSet ranks = conditions.integers(Rows::kRankColumn);
            if (ranks.all()) {
                add(0, m_table.m_rows.size());
            } else if (const auto* values = ranks.values()) {
                for (const std::int64_t id : *values) {
                    const auto [first, last] = m_table.m_context.index.ranksWithId(id);
                    add(m_table.m_rows.firstOf(first), m_table.m_rows.firstOf(last));
                }
            }
            m_row = m_ranges.empty() ? 0 : m_ranges[0].first;
            return SQLITE_OK;
        }
        int next() {
            if (++m_row == m_ranges[m_range].second && ++m_range < m_ranges.size()) m_row = m_ranges[m_range].first;
            return SQLITE_OK;
        }
        bool atEnd() const { return m_range == m_ranges.size(); }
        void column(sqlite3_context* context, int column) const { m_table.m_rows.column(context, m_row, column); }
        RankIndex rank() const requires requires(const Rows& rows) { rows.rankOf(0); }
        { return m_table.m_rows.rankOf(m_row); }
        std::int64_t rowid() const { return static_cast<std::int64_t>(m_row) + 1; }

    private:
        void add(std::size_t first, std::size_t last) {
            if (first != last) m_ranges.emplace_back(first, last);
        }

        const ListTable& m_table;
        std::vector<std::pair<std::size_t, std::size_t>> m_ranges;  // none is empty
        std::size_t m_range = 0;
        std::size_t m_row = 0;
    };

private:
    const QueryContext& m_context;
    std::vector<Lookup> m_lookups;
    Rows m_rows;
};

}  // namespace altiscope
