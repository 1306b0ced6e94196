#pragma once

#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// The table `name_stat`: what the seal has counted, as it stands in the stores, by rank, track and name.
class NameStatTable {
public:
    class Cursor;

    NameStatTable(const TableInfo&, const QueryContext& context);

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::None; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }
    /// Rows of ranks before this one.
    std::uint64_t firstOf(RankIndex rank) const { return m_first[rank.value]; }

private:
    const QueryContext& m_context;
    std::vector<std::uint64_t> m_first;  // by rank; one more at the end
};

class NameStatTable::Cursor {
public:
    explicit Cursor(const NameStatTable& table)
        : m_table(table), m_context(table.context()), m_poll(table.context().cancel) {}

    int filter(int mode, const Conditions& conditions);
    int next();
    bool atEnd() const { return m_part == m_parts.size(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_parts[m_part].rank; }
    std::int64_t rowid() const { return static_cast<std::int64_t>(m_table.firstOf(m_parts[m_part].rank) + m_row) + 1; }

private:
    struct Part {
        RankIndex rank{};
        std::size_t first = 0, last = 0;
    };
    int settle();
    void step();
    const TraceStore& store() const { return *m_context.index.trace(m_parts[m_part].rank); }

    const NameStatTable& m_table;
    const QueryContext& m_context;
    CancelPoll m_poll;
    IntegerSet m_tracks;
    TextFilter m_text;
    std::vector<Part> m_parts;  // none is empty
    std::size_t m_part = 0;
    std::size_t m_row = 0;
};

}  // namespace altiscope
