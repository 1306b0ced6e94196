#pragma once

#include "core/query/lookup/run_walk.h"
#include "core/query/lookup/timed_plan.h"
#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <span>

namespace altiscope {

/// The table `instant`. Its rowid is the position of the record, as slice_id is for slices.
class InstantTable {
public:
    class Cursor;

    InstantTable(const TableInfo&, const QueryContext& context) : m_context(context) {}

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::None; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }

private:
    const QueryContext& m_context;
};

class InstantTable::Cursor {
public:
    explicit Cursor(const InstantTable& table);

    int filter(int mode, const Conditions& conditions);
    int next();
    bool atEnd() const { return m_walk.atEnd(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_walk.part().rank; }
    std::int64_t rowid() const;

private:
    int settle();
    const TraceStore& store() const { return *m_context.index.trace(m_walk.part().rank); }

    const QueryContext& m_context;
    CancelPoll m_poll;
    RunWalk m_walk;
    TextFilter m_text;
};

}  // namespace altiscope
