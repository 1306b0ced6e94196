#pragma once

#include "views/common/support/view_memory.h"

#include <QStringList>

#include <optional>

namespace altiscope {

/// Statements that have run, the newest first, each once. Kept from one run of the program to the next. GUI thread.
class StatementHistory {
public:
    static constexpr qsizetype kMaxStatements = 200;
    /// Longer ones are not kept, and the oldest go once all together are longer.
    static constexpr qsizetype kMaxLetters = 20'000, kMaxLettersInAll = 300'000;

    explicit StatementHistory(const ViewMemory& memory);

    const QStringList& statements() const { return m_statements; }
    void add(const QString& statement);

    /// Steps to an older (-1) or newer (1) one; nullopt at the ends. After the newest comes what was written before.
    /// @param written  What the editor holds now.
    std::optional<QString> step(int direction, const QString& written);

private:
    void bound();
    void keep() const;

    ViewMemory m_memory;
    QStringList m_statements;
    qsizetype m_at = -1;  ///< -1: before the newest.
    QString m_written;
};

}  // namespace altiscope
