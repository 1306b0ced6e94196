#pragma once

#include "core/analysis/communication/pipeline_blocks.h"
#include "core/analysis/support/capture_facts.h"
#include "core/query/tables/capture_rows.h"
#include "core/query/tables/virtual_table.h"

#include <cstddef>
#include <memory>
#include <vector>

namespace altiscope {

/// The table `pipeline_block`, for ListTable, by rank and begin. Worked out when it is first read.
class PipelineBlockRows {
public:
    static constexpr int kRankColumn = 0;
    explicit PipelineBlockRows(const QueryContext& context) : m_context(context) {}

    bool prepare() const;
    /// Before prepare() a guess.
    std::size_t size() const { return m_blocks ? m_first.back() : 1000; }
    std::size_t firstOf(RankIndex rank) const { return m_first[rank.value]; }
    RankIndex rankOf(std::size_t row) const;
    void column(sqlite3_context* result, std::size_t row, int column) const;

private:
    const QueryContext& m_context;
    mutable std::shared_ptr<const std::vector<std::vector<PipelineBlock>>> m_blocks;  // by rank
    mutable std::shared_ptr<const CaptureFacts> m_facts;
    mutable std::vector<std::size_t> m_first{0};  // by rank; one more at the end
};

}  // namespace altiscope
