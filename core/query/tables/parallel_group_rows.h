#pragma once

#include "core/analysis/communication/parallel_groups.h"
#include "core/query/tables/capture_rows.h"
#include "core/query/tables/virtual_table.h"

#include <cstddef>
#include <memory>

namespace altiscope {

/// The table `parallel_group`, for ListTable, by kind and index. Worked out when it is first read.
class ParallelGroupRows {
public:
    static constexpr int kRankColumn = kNoRankColumn;
    explicit ParallelGroupRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_layout ? m_layout->groups.size() : 100; }
    std::size_t firstOf(RankIndex) const { return 0; }
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const ParallelLayout> m_layout;
};

}  // namespace altiscope
