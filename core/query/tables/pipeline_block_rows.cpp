#include "core/query/tables/pipeline_block_rows.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>

namespace altiscope {

bool PipelineBlockRows::prepare() const {
    if (m_blocks) return true;
    const CaptureAnalysis& analysis = m_context.index.analysis();
    m_facts = analysis.facts(m_context.cancel);
    m_blocks = m_facts == nullptr ? nullptr : analysis.pipeline(m_context.cancel);
    if (!m_blocks) return false;
    for (const auto& blocks : *m_blocks) m_first.push_back(m_first.back() + blocks.size());
    return true;
}

RankIndex PipelineBlockRows::rankOf(std::size_t row) const {
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), row);
    return rankIndex(static_cast<std::size_t>(after - m_first.begin()) - 1);
}

void PipelineBlockRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kRank, kStep, kStage, kMicroBatch, kDirection, kTime, kDuration };
    const RankIndex rank = rankOf(row);
    const PipelineBlock& block = (*m_blocks)[rank.value][row - m_first[rank.value]];
    switch (column) {
    case kRank: return resultInteger(result, m_context.index.rankId(rank));
    case kStep: return resultInteger(result, block.step);
    case kStage: return resultInteger(result, m_facts->ranks[rank.value].stage);
    case kMicroBatch: return resultInteger(result, static_cast<std::int64_t>(block.microBatch));
    case kDirection: return resultText(result, pipelineDirectionName(block.isBackward));
    case kTime: return resultInteger(result, block.range.begin.value);
    case kDuration: return resultInteger(result, block.range.length().value);
    default: return;
    }
}

}  // namespace altiscope
