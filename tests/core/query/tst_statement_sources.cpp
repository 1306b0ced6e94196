#include "core/query/statement_kinds.h"
#include "tests/support/test_main.h"

#include <QStringList>

#include <string>

using namespace altiscope;

class TestStatementSources : public QObject {
    Q_OBJECT
private slots:
    /// What has to be read for a statement: kinds of summary rows, or all of the capture.
    void kinds_data() {
        QTest::addColumn<QString>("sql");
        QTest::addColumn<QString>("kinds");
        const auto row = [](const char* sql, const char* kinds) {
            QTest::addRow("%s", sql) << QString::fromUtf8(sql) << QString::fromUtf8(kinds);
        };
        row("SELECT op_name FROM collective WHERE origin = 'recorded'", "collective");
        // Sizes of transfers help to find which collectives are one.
        row("SELECT instance FROM collective WHERE origin = 'recorded'", "collective bandwidth");
        row("SELECT op_name FROM collective", "everything");
        row("SELECT ranks FROM comm_group", "comm_group link");
        // What the metadata of the ranks state is always read.
        row("SELECT ranks FROM parallel_group", "comm_group link");
        row("SELECT name, dur FROM kernel", "kernel");
        row("SELECT slice_id FROM kernel", "everything");
        row("SELECT value FROM kernel_metric", "kernel");
        row("SELECT l.size FROM link l JOIN comm_group g USING (group_name)", "comm_group link");
        row("SELECT count(*) FROM slice", "everything");
        row("SELECT 1", "everything");
        row("SELECT nothing FROM kernel", "everything");
    }
    void kinds() {
        QFETCH(QString, sql);
        QFETCH(QString, kinds);
        QStringList found;
        const auto read = summaryKindsRead(sql.toStdString());
        if (!read) found << QStringLiteral("everything");
        else
            for (const RowKind kind : *read) found << QString::fromStdString(std::string(rowKindName(kind)));
        QStringList expected = kinds.split(u' ');
        found.sort();
        expected.sort();
        QCOMPARE(found.join(u' '), expected.join(u' '));
    }
};

ALTI_TEST(TestStatementSources)
#include "tst_statement_sources.moc"
