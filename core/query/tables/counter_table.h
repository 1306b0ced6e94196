#pragma once

#include "core/query/lookup/run_walk.h"
#include "core/query/lookup/timed_plan.h"
#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <span>

namespace altiscope {

/// The table `counter`.
class CounterTable {
public:
    class Cursor;

    CounterTable(const TableInfo&, const QueryContext& context) : m_context(context) {}

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::None; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }

private:
    const QueryContext& m_context;
};

class CounterTable::Cursor {
public:
    explicit Cursor(const CounterTable& table) : m_context(table.context()) {}

    int filter(int mode, const Conditions& conditions);
    int next() {
        m_walk.next();
        return SQLITE_OK;
    }
    bool atEnd() const { return m_walk.atEnd(); }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_walk.part().rank; }
    std::int64_t rowid() const;

private:
    const TraceStore& store() const { return *m_context.index.trace(m_walk.part().rank); }

    const QueryContext& m_context;
    RunWalk m_walk;
};

}  // namespace altiscope
