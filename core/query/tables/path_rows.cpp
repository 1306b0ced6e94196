#include "core/query/tables/path_rows.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>
#include <string_view>

namespace altiscope {

bool CriticalPathRows::prepare() const {
    if (m_paths) return true;
    m_paths = m_context.index.analysis().paths(m_context.cancel);
    if (!m_paths) return false;
    m_first.assign(m_paths->steps.size(), m_paths->path.size());
    for (std::size_t row = m_paths->path.size(); row-- > 0;) m_first[m_paths->path[row].step] = row;
    return true;
}

void CriticalPathRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kStep, kPosition, kRank, kSlice, kTime, kDuration, kKind };
    const PathPiece& piece = m_paths->path[row];
    switch (column) {
    case kStep: return resultInteger(result, m_paths->steps[piece.step]);
    case kPosition: return resultInteger(result, static_cast<std::int64_t>(row - m_first[piece.step]));
    case kRank: return resultInteger(result, m_context.index.rankId(piece.rank));
    case kSlice:
        if (piece.slice != kNoSlice) resultInteger(result, m_context.index.trace(piece.rank)->id(piece.slice).value);
        return;
    case kTime: return resultInteger(result, piece.begin.value);
    case kDuration: return resultInteger(result, piece.duration);
    case kKind: return resultText(result, pathKindName(piece.kind));
    default: return;
    }
}

bool SlackRows::prepare() const {
    if (!m_paths) m_paths = m_context.index.analysis().paths(m_context.cancel);
    return m_paths != nullptr;
}

std::size_t SlackRows::firstOf(RankIndex rank) const {
    const auto first = std::partition_point(m_paths->slacks.begin(), m_paths->slacks.end(),
                                            [rank](const ArrivalSlack& slack) { return slack.rank < rank; });
    return static_cast<std::size_t>(first - m_paths->slacks.begin());
}

void SlackRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kRank, kStep, kGroup, kOperator, kInstance, kSlack };
    const ArrivalSlack& slack = m_paths->slacks[row];
    switch (column) {
    case kRank: return resultInteger(result, m_context.index.rankId(slack.rank));
    case kStep: return resultInteger(result, m_paths->steps[slack.step]);
    case kGroup: return resultTextOrNull(result, m_paths->groups[slack.group]);
    case kOperator: {
        const std::string_view name = m_context.index.trace(slack.rank)->name(slack.slice);
        return resultText(result, name.substr(0, name.find('@')));
    }
    case kInstance: return resultInteger(result, slack.instance);
    case kSlack: return resultInteger(result, slack.slack);
    default: return;
    }
}

}  // namespace altiscope
