#include "core/query/tables/parallel_group_rows.h"

#include "core/query/functions/sqlite_values.h"

#include <nlohmann/json.hpp>

namespace altiscope {

bool ParallelGroupRows::prepare() const {
    if (!m_layout) m_layout = m_context.index.analysis().layout(m_context.cancel);
    return m_layout != nullptr;
}

void ParallelGroupRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kKind, kIndex, kRanks, kSource };
    const ParallelGroup& group = m_layout->groups[row];
    switch (column) {
    case kKind: return resultText(result, parallelismName(group.kind));
    case kIndex: return resultInteger(result, group.index);
    case kRanks: return resultCopy(result, nlohmann::json(group.ranks).dump());
    case kSource: return resultText(result, parallelSourceName(group.source));
    default: return;
    }
}

}  // namespace altiscope
