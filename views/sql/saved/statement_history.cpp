#include "views/sql/saved/statement_history.h"

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

const QString kHistoryKey = u"sql/history"_s;

}  // namespace

StatementHistory::StatementHistory(const ViewMemory& memory)
    : m_memory(memory), m_statements(memory.value(kHistoryKey).toStringList()) {
    bound();
}

void StatementHistory::bound() {
    m_statements.removeIf([](const QString& statement) { return statement.size() > kMaxLetters; });
    qsizetype letters = 0, kept = 0;
    while (kept < m_statements.size() && kept < kMaxStatements) {
        letters += m_statements[kept].size();
        if (letters > kMaxLettersInAll) break;
        ++kept;
    }
    m_statements.resize(kept);
}

void StatementHistory::keep() const { m_memory.setValue(kHistoryKey, m_statements); }

void StatementHistory::add(const QString& statement) {
    m_at = -1;
    if (statement.isEmpty() || statement.size() > kMaxLetters) return;
    m_statements.removeAll(statement);
    m_statements.prepend(statement);
    bound();
    keep();
}

std::optional<QString> StatementHistory::step(int direction, const QString& written) {
    const qsizetype next = m_at - direction;
    if (next < -1 || next >= m_statements.size()) return std::nullopt;
    if (m_at == -1) m_written = written;
    m_at = next;
    return m_at == -1 ? m_written : m_statements[m_at];
}

}  // namespace altiscope
