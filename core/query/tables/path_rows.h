#pragma once

#include "core/analysis/account/account.h"
#include "core/query/tables/capture_rows.h"
#include "core/query/tables/virtual_table.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace altiscope {

// Rows of what the steps of a job hang on, for ListTable. Worked out when they are first read: the account of the job,
// and a replay of it.

/// The table `critical_path`, by step and position.
class CriticalPathRows {
public:
    static constexpr int kRankColumn = kNoRankColumn;
    explicit CriticalPathRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_paths ? m_paths->path.size() : 1000; }
    std::size_t firstOf(RankIndex) const { return 0; }
    RankIndex rankOf(std::size_t row) const { return m_paths->path[row].rank; }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const JobPaths> m_paths;
    mutable std::vector<std::size_t> m_first;  // by step: its first row
};

/// The table `slack`, by rank, track and time.
class SlackRows {
public:
    static constexpr int kRankColumn = 0;
    explicit SlackRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_paths ? m_paths->slacks.size() : 1000; }
    /// O(log).
    std::size_t firstOf(RankIndex rank) const;
    RankIndex rankOf(std::size_t row) const { return m_paths->slacks[row].rank; }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const JobPaths> m_paths;
};

}  // namespace altiscope
