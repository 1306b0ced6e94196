#pragma once

#include "core/session/session.h"
#include "views/common/support/cell_text.h"
#include "views/common/support/heading_model.h"

#include <QAbstractItemModel>
#include <QTest>

namespace altiscope::test {

/// A capture of tests/golden.
inline QString goldenCapture(const QString& name) {
    return qEnvironmentVariable("ALTI_SOURCE_DIR") + QStringLiteral("/tests/golden/") + name +
           QStringLiteral("/capture");
}

/// Opens a capture and waits until it is read. @return Its id; 0 if that takes longer than ten seconds.
inline CaptureId openAndWait(Session& session, const QString& path) {
    const CaptureId id = session.open(path);
    const bool read = QTest::qWaitFor([&] { return session.capture(id)->job == 0; }, 10'000);
    return read ? id : kNoCapture;
}

/// The rows of a tree or table as text: two blanks per level, cells apart by " | ", empty cells at the end left out.
inline QString printed(const QAbstractItemModel& model, const QModelIndex& parent = {}, int level = 0) {
    QString text;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        QStringList cells;
        for (int column = 0; column < model.columnCount(parent); ++column) {
            cells << model.index(row, column, parent).data().toString();
        }
        while (!cells.isEmpty() && cells.constLast().isEmpty()) cells.removeLast();
        text += QString(level * 2, QChar(u' ')) + cells.join(QStringLiteral(" | ")) + QChar(u'\n');
        text += printed(model, model.index(row, 0, parent), level + 1);
    }
    return text;
}

/// A cell as a table shows it.
inline QString shownCell(const TableSource& table, const std::vector<ColumnHeading>& headings, std::size_t column,
                         std::size_t row) {
    const QString text = cellText(table, column, table.cell(column, row));
    return headings[column].word && !text.isEmpty() ? headings[column].word(text) : text;
}

}  // namespace altiscope::test
