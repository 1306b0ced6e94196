#pragma once

#include "core/analysis/account/rank_account.h"
#include "core/analysis/support/capture_facts.h"
#include "core/query/tables/capture_rows.h"
#include "core/query/tables/virtual_table.h"

#include <cstdint>
#include <memory>
#include <vector>

namespace altiscope {

// Rows of the tables of the account, for ListTable. Worked out when they are first read.

/// The table `gap`, by rank and time.
class GapRows {
public:
    static constexpr int kRankColumn = 0;
    explicit GapRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_gaps ? m_first.back() : 1000; }
    std::size_t firstOf(RankIndex rank) const { return m_first[rank.value]; }
    RankIndex rankOf(std::size_t row) const;
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const std::vector<std::vector<AccountGap>>> m_gaps;
    mutable std::shared_ptr<const CaptureFacts> m_facts;
    mutable std::vector<std::size_t> m_first{0};  // by rank; one more at the end
};

/// The table `blame`: waits by rank and time, then what causes win beside them.
class BlameRows {
public:
    static constexpr int kRankColumn = kNoRankColumn;
    explicit BlameRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_facts ? m_facts->account->job.waits.size() : 1000; }
    std::size_t firstOf(RankIndex) const { return 0; }
    RankIndex rankOf(std::size_t row) const { return m_facts->account->job.waits[row].rank; }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    std::string pathJson(const WaitCause& wait) const;

    const QueryContext& m_context;
    mutable std::shared_ptr<const CaptureFacts> m_facts;
};

}  // namespace altiscope
