#pragma once

#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// The table `flow`. Its rowid is the flow id: the position of the record that finishes the flow.
class FlowTable {
public:
    class Cursor;

    FlowTable(const TableInfo&, const QueryContext& context);

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::Id; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }

private:
    const QueryContext& m_context;
    double m_rows = 0;
};

class FlowTable::Cursor {
public:
    explicit Cursor(const FlowTable& table) : m_context(table.context()) {}

    int filter(int mode, const Conditions& conditions);
    int next();
    bool atEnd() const { return m_listed ? m_next == m_list.size() : m_rank.value == m_context.index.rankCount(); }
    void column(sqlite3_context* context, int column) const;
    std::int64_t rowid() const;

private:
    struct Place {
        RankIndex rank{};
        std::uint32_t flow = 0;
    };
    Place place() const { return m_listed ? m_list[m_next] : Place{m_rank, static_cast<std::uint32_t>(m_next)}; }
    void listById(const std::vector<std::int64_t>& ids);
    void listBySlice(const std::vector<std::int64_t>& slices, int column);
    void skipEmptyRanks();

    const QueryContext& m_context;
    bool m_listed = false;  ///< The rows of a lookup, in m_list; otherwise all rows.
    std::vector<Place> m_list;
    RankIndex m_rank;
    std::size_t m_next = 0;
};

}  // namespace altiscope
