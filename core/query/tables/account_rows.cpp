#include "core/query/tables/account_rows.h"

#include "core/query/functions/sqlite_values.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace altiscope {

bool GapRows::prepare() const {
    if (m_gaps) return true;
    const CaptureAnalysis& analysis = m_context.index.analysis();
    m_facts = analysis.facts(m_context.cancel);
    m_gaps = m_facts == nullptr ? nullptr : analysis.gaps(m_context.cancel);
    if (!m_gaps) return false;
    for (const auto& gaps : *m_gaps) m_first.push_back(m_first.back() + gaps.size());
    return true;
}

RankIndex GapRows::rankOf(std::size_t row) const {
    const auto after = std::upper_bound(m_first.begin(), m_first.end(), row);
    return rankIndex(static_cast<std::size_t>(after - m_first.begin()) - 1);
}

void GapRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column { kRank, kStep, kTrack, kTime, kDuration, kCause, kSlice, kName, kThread, kCoverage };
    const RankIndex rank = rankOf(row);
    const AccountGap& gap = (*m_gaps)[rank.value][row - m_first[rank.value]];
    switch (column) {
    case kRank: return resultInteger(result, m_context.index.rankId(rank));
    case kStep: return resultInteger(result, m_facts->account->ranks[rank.value].steps[gap.step].step);
    case kTrack: return resultInteger(result, m_context.index.trace(rank)->track({gap.track}).id.value);
    case kTime: return resultInteger(result, gap.facts.range.begin.value);
    case kDuration: return resultInteger(result, gap.facts.range.length().value);
    case kCause: return resultText(result, causeName(gap.facts.cause));
    case kSlice:
        if (gap.facts.slice.value != 0) resultInteger(result, gap.facts.slice.value);
        return;
    case kName: return resultTextOrNull(result, gap.facts.name);
    case kThread: return resultTextOrNull(result, gap.facts.thread);
    case kCoverage: return sqlite3_result_double(result, gap.facts.coverage);
    default: return;
    }
}

bool BlameRows::prepare() const {
    if (!m_facts) m_facts = m_context.index.analysis().facts(m_context.cancel);
    return m_facts != nullptr;
}

std::string BlameRows::pathJson(const WaitCause& wait) const {
    nlohmann::ordered_json path = nlohmann::ordered_json::array();
    for (const CauseSlice& one : wait.path) {
        const auto id = m_context.index.rankId(one.rank);
        path.push_back({{"rank_id", id ? nlohmann::ordered_json(*id) : nlohmann::ordered_json()},
                        {"slice_id", one.slice.value},
                        {"ns", one.amount}});
    }
    return path.dump();
}

void BlameRows::column(sqlite3_context* result, std::size_t row, int column) const {
    enum Column {
        kRank,
        kStep,
        kGroup,
        kOperator,
        kTime,
        kLate,
        kCause,
        kCauseRank,
        kCauseSlice,
        kCauseName,
        kRecoverable,
        kAlone,
        kCoverage,
        kHops,
        kPath
    };
    const WaitCause& wait = m_facts->account->job.waits[row];
    const bool isWait = wait.slice.value != 0;
    switch (column) {
    case kRank: return resultInteger(result, m_context.index.rankId(wait.rank));
    case kStep: return resultInteger(result, wait.step);
    case kGroup: return resultTextOrNull(result, wait.group);
    case kOperator: return resultTextOrNull(result, wait.operatorName);
    case kTime: return resultInteger(result, wait.range.begin.value);
    case kLate:
        if (isWait) resultInteger(result, wait.wait);
        return;
    case kCause: return resultText(result, causeName(wait.cause));
    case kCauseRank:
        if (wait.causeRank != kNoRank) resultInteger(result, m_context.index.rankId(wait.causeRank));
        return;
    case kCauseSlice:
        if (wait.causeSlice.value != 0) resultInteger(result, wait.causeSlice.value);
        return;
    case kCauseName: return resultTextOrNull(result, wait.causeName);
    case kRecoverable: return resultInteger(result, wait.recoverable);
    case kAlone: return resultInteger(result, wait.alone);
    case kCoverage: return sqlite3_result_double(result, wait.coverage);
    case kHops: return resultInteger(result, static_cast<std::int64_t>(wait.path.size()));
    case kPath: return resultCopy(result, pathJson(wait));
    default: return;
    }
}

}  // namespace altiscope
