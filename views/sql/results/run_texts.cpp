#include "views/sql/results/run_texts.h"

#include "views/common/support/formatters.h"

#include <QCoreApplication>

#include <cmath>

namespace altiscope {

using namespace Qt::StringLiterals;

namespace {

struct RunTexts {
    Q_DECLARE_TR_FUNCTIONS(altiscope::RunTexts)
};

QString rowsText(std::uint64_t rows) {
    return rows == 1 ? RunTexts::tr("1 row") : RunTexts::tr("%1 rows").arg(formatCount(rows));
}

}  // namespace

QString secondsText(double seconds) { return formatDuration({std::llround(seconds * 1e9)}); }

QString runText(const SqlRun& run, std::uint64_t found, double secondsSoFar) {
    switch (run.end) {
    case SqlEnd::Running:
        return RunTexts::tr("Running for %1: %2 so far; Esc cancels").arg(secondsText(secondsSoFar), rowsText(found));
    case SqlEnd::Complete: {
        const QString text = RunTexts::tr("%1 in %2", "rows, time").arg(rowsText(run.rows), secondsText(run.seconds));
        // First rows that come with all others need no word.
        const bool isEarlier = run.firstRows && *run.firstRows < run.seconds / 2;
        return isEarlier ? text + u" · "_s + RunTexts::tr("first rows after %1").arg(secondsText(*run.firstRows))
                         : text;
    }
    case SqlEnd::RowLimit:
    case SqlEnd::MemoryLimit:
    case SqlEnd::TimeLimit:
        return RunTexts::tr("The first %1 in %2", "rows, time").arg(rowsText(run.rows), secondsText(run.seconds));
    case SqlEnd::Cancelled:
        return run.table == nullptr ? RunTexts::tr("Cancelled after %1").arg(secondsText(run.seconds))
                                    : RunTexts::tr("Cancelled after %1; the first %2 are shown")
                                          .arg(secondsText(run.seconds), rowsText(run.rows));
    case SqlEnd::Failed:
    case SqlEnd::NotKept: return RunTexts::tr("Failed after %1").arg(secondsText(run.seconds));
    }
    return {};
}

QString limitText(const SqlRun& run, const SqlRows::Limits& limits) {
    const QString remedy =
        RunTexts::tr("“Write all rows” writes all of them to a file; WHERE, LIMIT or sums show fewer.");
    QStringList texts;
    if (run.end == SqlEnd::RowLimit)
        texts << RunTexts::tr("There are more rows: a table keeps %1.").arg(formatCount(limits.rows)) + u' ' + remedy;
    if (run.end == SqlEnd::MemoryLimit)
        texts << RunTexts::tr("There are more rows: a table keeps %1 of memory.").arg(formatBytes(limits.bytes)) +
                     u' ' + remedy;
    if (run.end == SqlEnd::TimeLimit)
        texts << RunTexts::tr(
                     "The time limit has ended the statement: there may be more rows. Choose a longer one above.") +
                     u' ' + remedy;
    for (const Diagnostic& entry : run.diagnostics.entries()) texts << toQString(entry.message(catalogueLanguage()));
    return texts.join(u'\n');
}

}  // namespace altiscope
