#pragma once

#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <span>
#include <vector>

namespace altiscope {

/// The table `track`. Its rowid is the track id.
class TrackTable {
public:
    class Cursor;

    TrackTable(const TableInfo&, const QueryContext& context) : m_context(context) {}

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::Id; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }

private:
    const QueryContext& m_context;
};

class TrackTable::Cursor {
public:
    explicit Cursor(const TrackTable& table) : m_context(table.context()) {}

    int filter(int mode, const Conditions& conditions);
    int lookUp(std::optional<std::int64_t> id) {
        m_next = 0;
        // Rows of a join come track by track.
        if (!m_isLookedUp || id != m_lookedUp) find(id);
        return SQLITE_OK;
    }
    int next() {
        ++m_next;
        return SQLITE_OK;
    }
    bool atEnd() const { return m_next == m_tracks.size(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_tracks[m_next].rank; }
    std::int64_t rowid() const { return m_tracks[m_next].id.value; }

private:
    void find(std::optional<std::int64_t> id);

    const QueryContext& m_context;
    std::vector<TrackPlace> m_tracks;
    std::size_t m_next = 0;
    bool m_isLookedUp = false;  ///< m_tracks answers m_lookedUp.
    std::optional<std::int64_t> m_lookedUp;
};

}  // namespace altiscope
