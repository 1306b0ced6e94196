#pragma once

#include "core/query/lookup/name_walk.h"
#include "core/query/lookup/run_walk.h"
#include "core/query/lookup/timed_plan.h"
#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace altiscope {

/// The table `slice`.
class SliceTable {
public:
    class Cursor;

    SliceTable(const TableInfo&, const QueryContext& context) : m_context(context) {}

    std::span<const Lookup> lookups() const;
    Lookup rowidLookup() const { return Lookup::Id; }
    void plan(IndexRequest& request) const;
    const QueryContext& context() const { return m_context; }

    /// By rank, what matchingSlices() finds. Kept, because a join may ask again and again. Null if cancelled.
    using SourceMatches = std::vector<std::vector<std::uint8_t>>;
    std::shared_ptr<const SourceMatches> sourceMatches(const SourceFilter& filter) const;

private:
    const QueryContext& m_context;
    mutable std::map<std::string, std::shared_ptr<const SourceMatches>> m_sourceMatches;  ///< By SourceFilter::key().
};

class SliceTable::Cursor {
public:
    explicit Cursor(const SliceTable& table);

    int filter(int mode, const Conditions& conditions);
    int lookUp(std::optional<std::int64_t> id);
    int next() {
        if (m_slice < m_plainLast) {
            ++m_slice;
            return SQLITE_OK;
        }
        return advance();
    }
    bool atEnd() const { return m_atEnd; }
    void column(sqlite3_context* context, int column) const;
    RankIndex rank() const { return m_rank; }
    std::int64_t rowid() const { return m_store->id({m_slice}).value; }

private:
    int startRuns();
    int startNames();
    int startIds(const Conditions& conditions);
    int startChildren(const Conditions& conditions);
    int advance();
    int settle();
    void show(RankIndex rank, std::uint32_t slice);
    void openRank(RankIndex rank);
    bool passes() const;
    const DepthRun& run() const;

    const SliceTable& m_table;
    const QueryContext& m_context;
    CancelPoll m_poll;
    TimedPlan m_plan;
    RunWalk m_runs;
    NameWalk m_names;
    std::vector<IndexedSlice> m_ids;
    std::size_t m_nextId = 0;

    // Conditions that the way through the rows does not meet by itself.
    bool m_filtered = false;
    bool m_isPlain = false;  ///< Runs as listed, each row of them.
    RunSelection m_selection;
    TextFilter m_text;
    std::shared_ptr<const SourceMatches> m_inSource;  ///< Null if the files are not searched.
    std::vector<bool>
        m_nameMatches;  ///< Matches in the rank that is open, by StringId; empty if names are not searched.

    bool m_atEnd = true;
    RankIndex m_rank = kNoRank;
    const TraceStore* m_store = nullptr;
    std::uint32_t m_slice = 0;
    std::uint32_t m_plainLast = 0;    ///< Slices up to this one follow without a condition and without the walk.
    mutable std::uint32_t m_run = 0;  ///< Index among the store's runs; where the last slice was found.
};

}  // namespace altiscope
